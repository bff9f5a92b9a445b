// What a policy comes to: rules in canonical order, one for each target, and an identity.
import assert from 'node:assert/strict';
import { compilePolicy, decodePolicy, type PolicyRule, readOnly } from '../../src/policy/index.js';
import { inspectPolicy } from '../../src/policy/inspect.js';
import { policyOf } from './policies.js';

/** The rules that are left, as `access root:path scope missing`. */
function rulesOf(...rules: PolicyRule[]): string[] {
  return compilePolicy(policyOf(rules)).rules.map(
    ({ access, root, path, scope, missing }) => `${access} ${root}:${path} ${scope} ${missing}`,
  );
}

const inWorkspace = (access: PolicyRule['access'], relative?: string): PolicyRule => ({
  access,
  path: relative === undefined ? { root: 'workspace' } : { root: 'workspace', relative },
});

describe('policy: compilation', () => {
  it('takes an object, text and bytes for the same', () => {
    const text = JSON.stringify(readOnly());
    const digests = [readOnly(), text, Buffer.from(text), new Uint8Array(Buffer.from(text))].map(
      (source) => compilePolicy(source).digest,
    );
    assert.equal(new Set(digests).size, 1);
  });

  it('fills in defaults, and normalises paths', () => {
    assert.deepEqual(
      rulesOf(inWorkspace('read', './a//b/./c/'), { access: 'write', path: { absolute: '//srv/./x/' } }),
      ['read workspace:a/b/c tree error', 'write host:/srv/x tree error'],
    );
  });

  it('knows the root itself by every name', () => {
    for (const relative of [undefined, '', '.', './/.']) {
      assert.deepEqual(rulesOf(inWorkspace('read', relative)), ['read workspace: tree error']);
    }
    assert.deepEqual(rulesOf({ access: 'read', path: { absolute: '//.' } }), ['read host:/ tree error']);
  });

  it('sorts by root, bytes of the path, scope, missing and access', () => {
    const path = { root: 'workspace', relative: 'a' } as const;
    const sorted = [
      'read minimal-runtime: tree error',
      'read workspace:a exact error',
      'read workspace:a exact skip',
      'read workspace:a tree error',
      'deny-write workspace:a tree error',
      'read workspace:a-b tree error',
      'read workspace:a/b tree error',
      // By UTF-8, U+FF5E comes before U+1F600; by UTF-16, after it.
      'read workspace:\uff5e tree error',
      'read workspace:\u{1f600} tree error',
      'write temp: tree error',
      'deny host:/ tree error',
    ];
    const rules: PolicyRule[] = [
      { access: 'deny', path: { absolute: '/' } },
      { access: 'write', path: { root: 'temp' } },
      inWorkspace('read', '\u{1f600}'),
      inWorkspace('read', '\uff5e'),
      inWorkspace('read', 'a/b'),
      inWorkspace('read', 'a-b'),
      { access: 'deny-write', path },
      { access: 'read', path },
      { access: 'read', path, scope: 'exact', missing: 'skip' },
      { access: 'read', path, scope: 'exact' },
      { access: 'read', path: { special: 'minimal-runtime' } },
    ];
    assert.deepEqual(rulesOf(...rules), sorted);
    assert.deepEqual(rulesOf(...rules.reverse()), sorted);
  });

  it('leaves one grant and one deny-write of a target, and a deny alone', () => {
    assert.deepEqual(rulesOf(inWorkspace('read'), inWorkspace('write'), inWorkspace('read')), [
      'write workspace: tree error',
    ]);
    assert.deepEqual(
      rulesOf(inWorkspace('deny-write'), inWorkspace('write'), inWorkspace('deny-write', '.')),
      ['write workspace: tree error', 'deny-write workspace: tree error'],
    );
    assert.deepEqual(rulesOf(inWorkspace('write'), inWorkspace('deny'), inWorkspace('deny-write')), [
      'deny workspace: tree error',
    ]);
  });

  it('keeps targets apart that differ in scope or in missing', () => {
    assert.equal(
      rulesOf(
        inWorkspace('read', 'a'),
        { ...inWorkspace('deny', 'a'), scope: 'exact' },
        { ...inWorkspace('deny', 'a'), missing: 'skip' },
      ).length,
      3,
    );
  });

  it('fills in the flags of destinations, and merges those of one target to the stricter', () => {
    const to = (host: string, port: number, flags = {}) => ({
      protocol: 'tcp' as const,
      host,
      port,
      ...flags,
    });
    const { network } = compilePolicy(
      policyOf([], {
        mode: 'mediated',
        allow: [
          to('b.example', 443),
          to('a.example', 8443),
          to('A.Example', 443, { requireTlsSni: true, allowPrivateAddresses: true }),
          to('a.example', 443, { allowPrivateAddresses: false }),
          to('c.example', 443, { allowPrivateAddresses: true }),
          to('C.EXAMPLE', 443, { allowPrivateAddresses: true }),
        ],
      }),
    );
    assert.deepEqual(network, {
      mode: 'mediated',
      allow: [
        to('a.example', 443, { requireTlsSni: true, allowPrivateAddresses: false }),
        to('a.example', 8443, { requireTlsSni: false, allowPrivateAddresses: false }),
        to('b.example', 443, { requireTlsSni: false, allowPrivateAddresses: false }),
        to('c.example', 443, { requireTlsSni: false, allowPrivateAddresses: true }),
      ],
    });
  });

  it('gives no meaning to $schema and to the order of members', () => {
    const { formatVersion, ...rest } = readOnly();
    const other = { ...rest, $schema: 'x', formatVersion };
    assert.equal(compilePolicy(other).digest, compilePolicy(readOnly()).digest);
  });

  it('has another identity for every other meaning', () => {
    const base = policyOf([inWorkspace('read', 'a')]);
    const policies = [
      base,
      policyOf([inWorkspace('write', 'a')]),
      policyOf([inWorkspace('deny', 'a')]),
      policyOf([inWorkspace('deny-write', 'a')]),
      policyOf([inWorkspace('read', 'b')]),
      policyOf([{ access: 'read', path: { root: 'temp', relative: 'a' } }]),
      policyOf([{ access: 'read', path: { absolute: '/a' } }]),
      policyOf([{ ...inWorkspace('read', 'a'), scope: 'exact' }]),
      policyOf([{ ...inWorkspace('read', 'a'), missing: 'skip' }]),
      policyOf([inWorkspace('read', 'a')], { mode: 'direct' }),
      { ...base, root: { mode: 'ephemeral-write' as const } },
      { ...base, process: { treeConfinement: 'disabled' as const } },
    ];
    assert.equal(new Set(policies.map((policy) => compilePolicy(policy).digest)).size, policies.length);
  });

  it('keeps a frozen copy of the policy as it was written', () => {
    const source = { ...policyOf([inWorkspace('read', 'a//b')]), $schema: 'x' };
    const compiled = compilePolicy(source);
    assert.deepEqual(compiled.policy, source);
    assert.notEqual(compiled.policy, source);
    for (const part of [
      compiled,
      compiled.policy,
      compiled.policy.filesystem.rules[0]?.path,
      compiled.rules,
      compiled.rules[0],
      compiled.network,
    ]) {
      assert.ok(Object.isFrozen(part));
    }
    assert.ok(!Object.isFrozen(source));
  });

  it('is shown in canonical form', () => {
    const compiled = compilePolicy(
      policyOf([{ ...inWorkspace('read', './a'), missing: 'skip' }], {
        mode: 'mediated',
        allow: [
          { protocol: 'tcp', host: 'A.example', port: 1, requireTlsSni: true, allowPrivateAddresses: false },
        ],
      }),
    );
    const shown = inspectPolicy(compiled);
    assert.deepEqual(shown, inspectPolicy(decodePolicy(compiled.bytes)));
    assert.deepEqual(shown, {
      inspectionVersion: 1,
      mirFormatVersion: 3,
      identity: { algorithm: 'sha256', basis: 'canonical-mir-v3-bytes', decisionDigest: compiled.digest },
      filesystem: {
        default: 'deny',
        rules: [{ access: 'read', root: 'workspace', path: 'a', scope: 'tree', missing: 'skip' }],
      },
      network: {
        mode: 'mediated',
        allow: [{ protocol: 'tcp', host: 'a.example', port: 1, requireTlsSni: true }],
      },
      root: { mode: 'read-only' },
      process: { treeConfinement: 'required' },
    });
  });
});
