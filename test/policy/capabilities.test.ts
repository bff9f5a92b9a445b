// What a backend must enforce for a policy to be kept.
import assert from 'node:assert/strict';
import {
  type Capability,
  compilePolicy,
  neededCapabilities,
  type Policy,
  type ResolvedRule,
} from '../../src/policy/index.js';
import { policyOf } from './policies.js';

const rule = (
  access: ResolvedRule['access'],
  path: string,
  more: Partial<ResolvedRule> = {},
): ResolvedRule => ({
  access,
  path,
  scope: 'tree',
  root: 'host',
  protectCreate: false,
  ...more,
});

const needed = (rules: ResolvedRule[], policy: Policy = policyOf([])): Capability[] =>
  neededCapabilities(compilePolicy(policy), rules);

const without = (...capabilities: Capability[]): Capability[] =>
  (['fs-read', 'fs-write', 'network-none', 'process-tree'] as const).filter(
    (one) => !capabilities.includes(one),
  );

describe('policy: capabilities', () => {
  it('confine reading and writing, as nothing is granted but by a rule', () => {
    assert.deepEqual(needed([]), without());
    assert.deepEqual(needed([rule('read', '/usr'), rule('write', '/srv')]), without());
  });

  it('need not confine what the tree / grants', () => {
    assert.deepEqual(needed([rule('read', '/')]), without('fs-read'));
    assert.deepEqual(needed([rule('write', '/')]), without('fs-read', 'fs-write'));
    assert.deepEqual(needed([rule('write', '/', { scope: 'exact' })]), without());
  });

  it('take away what a rule denies', () => {
    assert.deepEqual(needed([rule('deny', '/a')]), [
      'fs-read',
      'fs-write',
      'fs-deny',
      'network-none',
      'process-tree',
    ]);
    assert.deepEqual(needed([rule('deny-write', '/a')]), [
      'fs-read',
      'fs-write',
      'fs-deny-write',
      'network-none',
      'process-tree',
    ]);
  });

  it('keep paths from being made exactly when a rule says so', () => {
    const protect = needed([rule('deny', '/a', { protectCreate: true })]);
    assert.ok(protect.includes('fs-protect-create') && protect.includes('fs-deny'));
    assert.ok(!needed([rule('deny', '/a')]).includes('fs-protect-create'));
  });

  it('follow the network', () => {
    const of = (network: Policy['network']) =>
      needed([], policyOf([], network)).filter((one) => one.startsWith('network'));
    const destination = { protocol: 'tcp', host: 'a', port: 1 } as const;
    assert.deepEqual(of({ mode: 'none' }), ['network-none']);
    assert.deepEqual(of({ mode: 'direct' }), ['network-direct']);
    assert.deepEqual(of({ mode: 'mediated', allow: [destination] }), ['network-mediated']);
    assert.deepEqual(
      of({
        mode: 'mediated',
        allow: [
          { ...destination, requireTlsSni: true },
          { ...destination, port: 2, allowPrivateAddresses: true },
        ],
      }),
      ['network-mediated', 'network-require-tls-sni', 'network-private-addresses'],
    );
  });

  it('follow the process tree and the root', () => {
    assert.deepEqual(
      needed([], {
        ...policyOf([]),
        root: { mode: 'ephemeral-write' },
        process: { treeConfinement: 'disabled' },
      }),
      ['fs-read', 'fs-write', 'network-none', 'root-ephemeral-write'],
    );
  });
});
