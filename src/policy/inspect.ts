/** A compiled policy as JSON that people and tools read. Its identity is that of its bytes: this text is never hashed. */
import type { CompiledPolicy } from './policy.js';

/** Rules and destinations in canonical order, with normalised paths and defaults filled in; flags only where they are set. */
export function inspectPolicy({ rules, network, rootMode, treeConfinement, digest }: CompiledPolicy) {
  return {
    inspectionVersion: 1,
    mirFormatVersion: 3,
    identity: { algorithm: 'sha256', basis: 'canonical-mir-v3-bytes', decisionDigest: digest },
    filesystem: {
      default: 'deny',
      rules: rules.map(({ access, root, path, scope, missing }) => ({ access, root, path, scope, missing })),
    },
    network:
      network.mode === 'mediated'
        ? {
            mode: network.mode,
            allow: network.allow.map(({ protocol, host, port, requireTlsSni, allowPrivateAddresses }) => ({
              protocol,
              host,
              port,
              ...(requireTlsSni ? { requireTlsSni } : {}),
              ...(allowPrivateAddresses ? { allowPrivateAddresses } : {}),
            })),
          }
        : { mode: network.mode },
    root: { mode: rootMode },
    process: { treeConfinement: treeConfinement ? 'required' : 'disabled' },
  };
}
