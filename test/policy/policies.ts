/** Policies that tests begin with. */
import type { Policy, PolicyNetwork, PolicyRule } from '../../src/policy/index.js';

export function policyOf(rules: readonly PolicyRule[], network: PolicyNetwork = { mode: 'none' }): Policy {
  return {
    formatVersion: 3,
    filesystem: { default: 'deny', rules },
    network,
    root: { mode: 'read-only' },
    process: { treeConfinement: 'required' },
  };
}

/** A policy with one destination. */
export function policyTo(host: string, port = 443): Policy {
  return policyOf([], { mode: 'mediated', allow: [{ protocol: 'tcp', host, port }] });
}
