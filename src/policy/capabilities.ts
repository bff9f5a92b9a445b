/** What a backend must be able to enforce for a policy to be kept. Must not know any backend. */
import type { CompiledPolicy, ResolvedRule } from './policy.js';

const CAPABILITIES = [
  'fs-read',
  'fs-write',
  'fs-deny',
  'fs-deny-write',
  'fs-protect-create',
  'network-none',
  'network-direct',
  'network-mediated',
  'network-require-tls-sni',
  'network-private-addresses',
  'process-tree',
  'root-ephemeral-write',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/**
 * What enforcing `policy`, resolved to `rules`, needs, always in the same order. A grant says the most that may be done, so what
 * must be enforced is the rest:
 *
 * - `fs-read`: nothing can be read but what is granted. Needed unless a grant of the tree `/` leaves no rest.
 * - `fs-write`: nothing can be written but what is granted. Needed unless a write grant of the tree `/` leaves no rest.
 * - `fs-deny`, `fs-deny-write`: parts of what is granted are taken away. Needed by any such rule, also by one that no grant
 *   meets: the grant may be another backend's default.
 * - `fs-protect-create`: what does not exist is kept from being made. Needed by a rule with `protectCreate`, and by no other.
 * - `network-none`, `network-direct`, `network-mediated`: the mode; `network-require-tls-sni` and `network-private-addresses`: a
 *   destination with that flag.
 * - `process-tree`: no process outlives the command. Needed when the policy requires it.
 * - `root-ephemeral-write`: writes outside of every grant go to a layer that is thrown away.
 */
export function neededCapabilities(
  policy: Pick<CompiledPolicy, 'network' | 'rootMode' | 'treeConfinement'>,
  rules: readonly ResolvedRule[],
): Capability[] {
  const { network, rootMode, treeConfinement } = policy;
  const destinations = network.mode === 'mediated' ? network.allow : [];
  const grantsOfRoot = rules
    .filter(({ path, scope }) => path === '/' && scope === 'tree')
    .map(({ access }) => access);
  const needed: Record<Capability, boolean> = {
    'fs-read': !grantsOfRoot.includes('read') && !grantsOfRoot.includes('write'),
    'fs-write': !grantsOfRoot.includes('write'),
    'fs-deny': rules.some(({ access }) => access === 'deny'),
    'fs-deny-write': rules.some(({ access }) => access === 'deny-write'),
    'fs-protect-create': rules.some(({ protectCreate }) => protectCreate),
    'network-none': network.mode === 'none',
    'network-direct': network.mode === 'direct',
    'network-mediated': network.mode === 'mediated',
    'network-require-tls-sni': destinations.some(({ requireTlsSni }) => requireTlsSni),
    'network-private-addresses': destinations.some(({ allowPrivateAddresses }) => allowPrivateAddresses),
    'process-tree': treeConfinement,
    'root-ephemeral-write': rootMode === 'ephemeral-write',
  };
  return CAPABILITIES.filter((capability) => needed[capability]);
}
