// Policies on a real tree: links, what is missing, and targets that turn out to be one.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PolicyPlaces } from '../../src/executor/resolve-arguments.js';
import { resolvePolicy } from '../../src/executor/resolve-policy.js';
import {
  compilePolicy,
  PolicyConflictError,
  PolicyError,
  type PolicyRule,
  readOnly,
} from '../../src/policy/index.js';
import { policyOf } from '../policy/policies.js';

describe('resolution of a policy', () => {
  let base: string;
  let places: PolicyPlaces;
  before(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'wardenpool-policy-')));
    for (const directory of ['ws/src/deep', 'ws/private', 'runtime/bin', 'elsewhere', 'data']) {
      mkdirSync(join(base, directory), { recursive: true });
    }
    writeFileSync(join(base, 'ws/file'), '');
    for (const [link, target] of [
      ['ws-link', 'ws'],
      ['ws/inside', 'src'],
      ['ws/chain', 'inside/deep'],
      ['ws/out', '../elsewhere'],
      ['ws/up', '..'],
      ['elsewhere/back', '../ws/src'],
      ['ws/loop', 'loop'],
      ['ws/nowhere', 'not/there'],
      ['sbin', 'runtime/bin'],
      ['data-link', 'data'],
    ] as const) {
      symlinkSync(target, join(base, link));
    }
    places = { workspace: join(base, 'ws'), temp: '/temp-of-the-command', minimalRuntime: [] };
  });
  after(() => rmSync(base, { recursive: true }));

  const relative = (
    access: PolicyRule['access'],
    path: string,
    more: Partial<PolicyRule> = {},
  ): PolicyRule => ({
    access,
    path: { root: 'workspace', relative: path },
    ...more,
  });

  /** As `access scope path`, the base of this test left out; `+` for protectCreate. */
  function resolve(rules: PolicyRule[], changes: Partial<PolicyPlaces> = {}): string[] {
    return resolvePolicy(compilePolicy(policyOf(rules)), { ...places, ...changes }).map(
      ({ access, scope, path, protectCreate }) =>
        `${access} ${scope} ${path.replace(base, '')}${protectCreate ? ' +' : ''}`,
    );
  }

  /** The message, the base of this test left out. */
  function problem(rules: PolicyRule[], changes: Partial<PolicyPlaces> = {}): string {
    try {
      resolve(rules, changes);
    } catch (error) {
      assert.ok(error instanceof PolicyError, String(error));
      assert.equal(error.code, 'ERR_POLICY_UNRESOLVED');
      return error.message.replaceAll(base, '');
    }
    throw new assert.AssertionError({ message: 'this was resolved' });
  }

  it('gives every rule its real path, in the order of their bytes', () => {
    const rules = resolvePolicy(compilePolicy(readOnly()), {
      workspace: join(base, 'ws-link'),
      temp: '/temp-of-the-command/',
      minimalRuntime: [join(base, 'sbin'), join(base, 'runtime'), join(base, 'lib64')],
    });
    assert.deepEqual(
      rules,
      [
        {
          access: 'read',
          scope: 'tree',
          path: `${base}/runtime`,
          root: 'minimal-runtime',
          protectCreate: false,
        },
        {
          access: 'read',
          scope: 'tree',
          path: `${base}/runtime/bin`,
          root: 'minimal-runtime',
          protectCreate: false,
        },
        { access: 'read', scope: 'tree', path: `${base}/ws`, root: 'workspace', protectCreate: false },
        { access: 'write', scope: 'tree', path: '/temp-of-the-command', root: 'temp', protectCreate: false },
      ].sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path))),
    );
  });

  it('follows links that stay in the workspace', () => {
    assert.deepEqual(resolve([relative('read', 'chain')]), ['read tree /ws/src/deep']);
    assert.deepEqual(resolve([relative('write', 'inside/deep', { scope: 'exact' })]), [
      'write exact /ws/src/deep',
    ]);
  });

  it('refuses a link that leaves the workspace, also one that comes back', () => {
    const leads = (path: string, target: string) =>
      `the rule read tree workspace:${path}: the link /ws/${path.split('/')[0]} leads to ${target}, out of the workspace /ws; name ${target} by an absolute path`;
    assert.equal(problem([relative('read', 'out')]), leads('out', '/elsewhere'));
    assert.equal(problem([relative('read', 'out/back')]), leads('out/back', '/elsewhere'));
    assert.match(problem([relative('read', 'up/ws/src')]), /the link \/ws\/up leads to , out of/);
    assert.equal(problem([relative('deny', 'out')]), leads('out', '/elsewhere').replace('read', 'deny'));
    // Neither does skip hide it.
    assert.match(
      problem([relative('read', 'out/none', { missing: 'skip' })]),
      /leads to \/elsewhere, out of/,
    );
  });

  it('follows links of absolute paths anywhere', () => {
    assert.deepEqual(resolve([{ access: 'read', path: { absolute: join(base, 'data-link') } }]), [
      'read tree /data',
    ]);
    assert.deepEqual(resolve([{ access: 'read', path: { absolute: join(base, 'ws/out/back') } }]), [
      'read tree /ws/src',
    ]);
  });

  it('refuses a grant of what is missing, or leaves it out', () => {
    for (const path of ['none', 'none/deeper', 'file/below', 'nowhere']) {
      for (const access of ['read', 'write'] as const) {
        assert.deepEqual(resolve([relative(access, path, { missing: 'skip' })]), []);
        assert.equal(
          problem([relative(access, path)]),
          `the rule ${access} tree workspace:${path}: /ws/${path} does not exist: create it, or give the rule "missing": "skip"`,
        );
      }
    }
  });

  it('keeps a denial of what is missing, with its real parent', () => {
    for (const missing of ['error', 'skip'] as const) {
      assert.deepEqual(
        resolve([
          relative('deny', 'inside/none/deeper', { missing }),
          relative('deny-write', '.git', { missing, scope: 'exact' }),
          relative('deny', 'file/below', { missing }),
        ]),
        ['deny-write exact /ws/.git +', 'deny tree /ws/file/below +', 'deny tree /ws/src/none/deeper +'],
      );
    }
  });

  it('does not protect what is there', () => {
    assert.deepEqual(resolve([relative('deny', 'private')]), ['deny tree /ws/private']);
  });

  it('refuses a denial behind a link that leads nowhere, as nobody knows what to protect', () => {
    assert.equal(
      problem([relative('deny', 'nowhere/x')]),
      'the rule deny tree workspace:nowhere/x: the link /ws/nowhere leads to not/there, which does not exist; remove the link, or deny its target',
    );
  });

  it('takes no other error for missing', () => {
    for (const access of ['read', 'deny'] as const) {
      assert.match(
        problem([relative(access, 'loop/x', { missing: 'skip' })]),
        /^the rule \w+ tree workspace:loop\/x: \/ws\/loop\/x cannot be followed: ELOOP: /,
      );
    }
    assert.match(
      problem([relative('read', 'n'.repeat(300), { missing: 'skip' })]),
      /cannot be followed: ENAMETOOLONG: /,
    );
  });

  it('never looks into temp: nothing but itself exists in it', () => {
    const temp = join(base, 'ws');
    const inTemp = (access: PolicyRule['access'], path?: string, more = {}): PolicyRule => ({
      access,
      path: { root: 'temp', ...(path === undefined ? {} : { relative: path }) },
      ...more,
    });
    assert.deepEqual(
      resolve(
        [
          inTemp('write'),
          inTemp('deny', 'src'),
          inTemp('deny-write', 'out'),
          inTemp('read', 'src', { missing: 'skip', scope: 'exact' }),
        ],
        { temp },
      ),
      ['write tree /ws', 'deny-write tree /ws/out +', 'deny tree /ws/src +'],
    );
    assert.equal(
      problem([inTemp('write', 'src')], { temp }),
      'the rule write tree temp:src: /ws/src does not exist: temp is empty when a command starts; grant the whole of it',
    );
  });

  it('merges rules that come to the same target', () => {
    const data = (access: PolicyRule['access'], name: string): PolicyRule => ({
      access,
      path: { absolute: join(base, name) },
    });
    assert.deepEqual(resolve([data('read', 'data'), data('write', 'data-link')]), ['write tree /data']);
    assert.deepEqual(resolve([data('deny', 'data'), data('write', 'data-link')]), ['deny tree /data']);
    assert.deepEqual(resolve([relative('deny-write', 'inside'), relative('write', 'src')]), [
      'write tree /ws/src',
      'deny-write tree /ws/src',
    ]);
    assert.deepEqual(resolve([relative('deny', 'none'), { ...data('deny', 'ws/none'), missing: 'skip' }]), [
      'deny tree /ws/none +',
    ]);
  });

  it('refuses what could be read in two ways, and names path, readings and rules', () => {
    const conflict = (rules: PolicyRule[]): PolicyConflictError => {
      try {
        resolve(rules);
      } catch (error) {
        assert.ok(error instanceof PolicyConflictError, String(error));
        return error;
      }
      throw new assert.AssertionError({ message: 'this was resolved' });
    };
    const below = conflict([relative('deny', 'src'), relative('write', 'chain')]);
    assert.equal(below.code, 'ERR_POLICY_CONFLICT');
    assert.equal(below.path, join(base, 'ws/src/deep'));
    assert.deepEqual([below.before, below.after], ['read-write', 'none']);
    assert.deepEqual(
      [below.rules.before.path, below.rules.after.path],
      [join(base, 'ws/src/deep'), join(base, 'ws/src')],
    );
    assert.equal(
      below.message.replaceAll(base, ''),
      'the rules can be read in two ways: /ws/src/deep has read-write if the most specific rule wins (write tree /ws/src/deep), ' +
        'and none as a deny is absolute and grants add up (deny tree /ws/src); narrow the deny rule, or remove the grant below it',
    );
    assert.equal(
      conflict([relative('write', ''), relative('read', 'src')]).message.replaceAll(base, ''),
      'the rules can be read in two ways: /ws/src has read if the most specific rule wins (read tree /ws/src), ' +
        'and read-write as a deny is absolute and grants add up (write tree /ws); remove the read rule, or write deny-write to take writing away',
    );
  });

  it('needs a workspace that is a directory, where a rule names it', () => {
    const rule = 'the rule read tree workspace:src';
    assert.equal(
      problem([relative('read', 'src', { missing: 'skip' })], { workspace: join(base, 'none') }),
      `${rule}: the workspace /none does not exist; create it`,
    );
    assert.equal(
      problem([relative('read', 'src')], { workspace: join(base, 'ws/file') }),
      `${rule}: the workspace /ws/file is not a directory; name its directory`,
    );
    assert.equal(
      problem([relative('read', 'src')], { workspace: 'ws' }),
      'the workspace is "ws": it must be an absolute path',
    );
    assert.deepEqual(resolve([], { workspace: join(base, 'none') }), []);
  });
});
