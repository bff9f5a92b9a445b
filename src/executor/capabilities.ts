/** The names of what a backend can do, as reports, errors and the doctor use them. Must not know backends. */

/** Each capability with what it means, in the order of tables. */
export const CAPABILITIES = {
  lifecycle: 'starts a sandbox, carries its bytes, stops it and accounts for it',
  'fs-deny': 'no file but those that are granted',
  'network-none': 'no network',
  'process-tree': 'all of its processes are confined, and end as one',
  'private-namespaces': 'every namespace is the sandbox’s own: what isolation: strict asks for',
  commands: 'runs commands that are not wardenpool’s own runner',
  procfs: 'a procfs of the sandbox’s own',
  'fs-read': 'files and directories to read',
  'fs-write': 'files and directories to write',
  'fs-deny-write': 'parts of what is writable that are not',
  'fs-protect-create': 'paths that do not exist, and cannot be made',
  'root-ephemeral-write': 'a root that can be written, and is gone afterwards',
  'network-direct': 'the network of the host',
  'network-mediated': 'chosen destinations of the network',
  'network-require-tls-sni': 'destinations bound to the name that TLS asks for',
  'network-private-addresses': 'destinations with private addresses',
} as const;

export type BackendCapability = keyof typeof CAPABILITIES;
