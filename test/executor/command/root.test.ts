/** From rules to the operations of a root, as data: on real directories, and without a sandbox. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '../../../src/executor/command/operations.js';
import { buildRoot, type Root, TEMP_PLACE } from '../../../src/executor/command/root.js';
import type { ResolvedRule } from '../../../src/policy/index.js';

describe('executor: the root of a command', () => {
  let workspace: string;
  before(() => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), 'wardenpool-test-')));
    mkdirSync(join(workspace, 'a/b'), { recursive: true });
    writeFileSync(join(workspace, 'a/b/secret'), '');
    writeFileSync(join(workspace, 'file'), '');
  });
  after(() => rmSync(workspace, { recursive: true, force: true }));

  function rule(
    access: ResolvedRule['access'],
    path: string,
    more: Partial<ResolvedRule> = {},
  ): ResolvedRule {
    return { access, path, scope: 'tree', root: 'workspace', protectCreate: false, ...more };
  }
  const inside = (path: string) => join(workspace, path);
  const build = (...rules: ResolvedRule[]): Root =>
    buildRoot({ rules, workspace, tempBytes: 4096, tempInodes: 8 });
  /** Kind and target of each, and whether it may be written. */
  const outline = ({ operations }: { operations: readonly Operation[] }) =>
    operations.map((each) =>
      each.kind === 'grant'
        ? `grant ${each.target}${each.writable ? ' rw' : ''}`
        : `${each.kind} ${each.target}`,
    );

  it('is empty without a rule', () => {
    assert.deepEqual(build(), { operations: [], missing: [] });
  });

  it('shows the workspace at a fixed path, with its owner', () => {
    const { operations } = build(rule('read', workspace));
    assert.deepEqual(outline({ operations }), ['grant /workspace']);
    const [grant] = operations;
    assert.ok(grant?.kind === 'grant');
    assert.equal(grant.source, workspace);
    assert.deepEqual(grant.owner, { user: process.geteuid?.(), group: process.getegid?.() });
  });

  it('mounts where the permission changes, parents first, whatever the order of the rules', () => {
    const rules = [rule('read', workspace), rule('write', inside('a')), rule('deny', inside('a/b'))];
    const expected = ['grant /workspace', 'grant /workspace/a rw', 'hide /workspace/a/b'];
    for (const order of [rules, rules.toReversed()]) assert.deepEqual(outline(build(...order)), expected);
  });

  it('mounts nothing where a rule changes nothing', () => {
    assert.deepEqual(outline(build(rule('write', workspace), rule('write', inside('a')))), [
      'grant /workspace rw',
    ]);
  });

  it('holds the directories above what is protected, each once, and only where they could be moved', () => {
    const denied = rule('deny', inside('a/b/secret'));
    assert.deepEqual(
      outline(
        build(
          rule('write', workspace),
          denied,
          rule('deny-write', inside('a/b')),
          rule('deny', inside('file')),
        ),
      ),
      [
        'grant /workspace rw',
        'pin /workspace/a',
        'write-protect /workspace/a/b',
        'hide /workspace/a/b/secret',
        'hide /workspace/file',
      ],
    );
    assert.deepEqual(outline(build(rule('read', workspace), denied)), [
      'grant /workspace',
      'hide /workspace/a/b/secret',
    ]);
  });

  it('takes the places of what does not exist, where it could be made', () => {
    const absent = rule('deny', inside('x/y'), { protectCreate: true });
    assert.deepEqual(outline(build(rule('write', workspace), absent)), [
      'grant /workspace rw',
      'hold-place /workspace/x',
      'pin /workspace/x',
      'hold-place /workspace/x/y',
      'hide /workspace/x/y',
    ]);
    assert.deepEqual(outline(build(rule('read', workspace), absent)), [
      'grant /workspace',
      'absent /workspace/x/y',
    ]);
  });

  it('holds a file in place below which nothing can exist', () => {
    const absent = rule('deny', inside('file/below'), { protectCreate: true });
    assert.deepEqual(outline(build(rule('write', workspace), absent)), [
      'grant /workspace rw',
      'pin /workspace/file',
      'absent /workspace/file/below',
    ]);
  });

  it('shows a path of the host by its own name, and applies the rules of the workspace there too', () => {
    const { operations } = build(rule('read', inside('a'), { root: 'host' }), rule('deny', inside('a/b')));
    assert.deepEqual(outline({ operations }), [
      `grant ${inside('a')}`,
      `hide ${inside('a/b')}`,
      'grant /workspace/a',
      'hide /workspace/a/b',
    ]);
  });

  it('grants the root of the host by its entries, but for those that are the sandbox’s own', () => {
    const { operations } = build(
      rule('read', '/', { root: 'host' }),
      rule('deny', '/etc/passwd', { root: 'host' }),
    );
    const targets = operations.map(({ target }) => target);
    for (const name of readdirSync('/'))
      assert.equal(targets.includes(`/${name}`), !['proc', 'dev', 'tmp'].includes(name), name);
    assert.ok(targets.indexOf('/etc') < targets.indexOf('/etc/passwd'));
    assert.ok(targets.includes('/workspace'));
    assert.ok(!targets.includes('/'));
  });

  it('makes a temp, with its limits', () => {
    const temp = { root: 'temp' as const };
    assert.deepEqual(build(rule('write', TEMP_PLACE, temp)).operations, [
      { kind: 'temporary', target: '/tmp', bytes: 4096, entries: 8 },
    ]);
    assert.deepEqual(outline(build(rule('read', TEMP_PLACE, temp))), [
      'temporary /tmp',
      'write-protect /tmp',
    ]);
  });

  it('makes an empty workspace for a command that was given none', () => {
    const rules = [rule('write', '/.wardenpool/workspace')];
    const { operations } = buildRoot({ rules, workspace: undefined, tempBytes: 4096, tempInodes: 8 });
    assert.deepEqual(operations, [{ kind: 'temporary', target: '/workspace', bytes: 4096, entries: 8 }]);
  });

  it('says what no mount can enforce: one directory without what is in it, and the procfs of the host', () => {
    const { missing } = build(
      rule('read', inside('a'), { scope: 'exact' }),
      rule('read', '/proc/sys', { root: 'host' }),
    );
    assert.deepEqual(missing.map(({ capability }) => capability).sort(), ['fs-read', 'process-tree']);
    assert.match(missing.map(({ reason }) => reason).join(' '), /exactly .*\/a, which is a directory/);
    assert.deepEqual(outline(build(rule('read', inside('file'), { scope: 'exact' }))), [
      'grant /workspace/file',
    ]);
  });

  it('takes thousands of rules, deep ones too, in no time', () => {
    const deep = join(workspace, ...Array.from({ length: 1_000 }, () => 'd'));
    const rules = Array.from({ length: 4_000 }, (_, index) =>
      rule('deny', `${deep}/${index}`, { protectCreate: true }),
    );
    const startedAt = performance.now();
    const { operations } = build(rule('write', workspace), ...rules);
    assert.equal(operations.length, 1 + 2 * 1_000 + 2 * 4_000);
    assert.ok(performance.now() - startedAt < 30_000);
  });
});
