/** What the rule root `minimal-runtime` stands for on Linux. Must not know policies, nor which of it a machine has. */

/** On a merged system these are links into /usr. */
export const SYSTEM_DIRECTORIES: readonly string[] = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * Programs, libraries, and what the loader, the C library and TLS read to find theirs. Absolute paths, links among them; nothing
 * of users, networks or secrets.
 */
export const MINIMAL_RUNTIME: readonly string[] = [
  '/usr',
  ...SYSTEM_DIRECTORIES,
  '/nix/store',
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/pki/tls/certs',
  '/etc/protocols',
  '/etc/services',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/timezone',
];
