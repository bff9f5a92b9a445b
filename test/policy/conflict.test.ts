// Rules that somebody for whom the most specific rule wins would understand differently.
import assert from 'node:assert/strict';
import { type Conflict, decidingRules, findConflict, type ResolvedRule } from '../../src/policy/index.js';

type Rule = Pick<ResolvedRule, 'access' | 'scope' | 'path'>;

const tree = (access: Rule['access'], path: string): Rule => ({ access, scope: 'tree', path });
const exact = (access: Rule['access'], path: string): Rule => ({ access, scope: 'exact', path });

describe('policy: conflicts', () => {
  const check = (title: string, rules: Rule[], conflict: Conflict | undefined): void => {
    it(title, () => {
      for (const ordered of [rules, [...rules].reverse()]) assert.deepEqual(findConflict(ordered), conflict);
    });
  };

  check('are not in a policy without rules', [], undefined);
  check(
    'are not where grants only add up',
    [tree('read', '/'), tree('write', '/a'), exact('write', '/b')],
    undefined,
  );
  check(
    'are not where something is taken away',
    [tree('write', '/'), tree('deny', '/a'), exact('deny', '/b/c')],
    undefined,
  );
  check('are a read below a write', [tree('write', '/a'), tree('read', '/a/b')], {
    path: '/a/b',
    before: 'read',
    after: 'read-write',
  });
  check('are a grant below a deny', [tree('deny', '/a'), tree('write', '/a/b/c')], {
    path: '/a/b/c',
    before: 'read-write',
    after: 'none',
  });
  check('are an exact rule against the tree of its path', [tree('deny', '/a'), exact('read', '/a')], {
    path: '/a',
    before: 'read',
    after: 'none',
  });
  check(
    'are not two rules of one target',
    [tree('read', '/a'), tree('write', '/a'), exact('read', '/b'), exact('deny', '/b')],
    undefined,
  );
  check(
    'are not between paths that only begin alike',
    [tree('deny', '/a'), tree('read', '/a-b'), tree('read', '/ab')],
    undefined,
  );
  check('are found below the root of the file system', [tree('deny', '/'), exact('read', '/a')], {
    path: '/a',
    before: 'read',
    after: 'none',
  });
  check(
    'may be only below a target, and are named by a path that is no target',
    [tree('write', '/a'), tree('read', '/a/b'), exact('deny', '/a/b'), exact('write', '/a/b/file')],
    { path: '/a/b/file-2', before: 'read', after: 'read-write' },
  );
  check(
    'are forgotten where their tree ends',
    [tree('deny', '/a/b'), tree('read', '/a/c'), tree('read', '/')],
    undefined,
  );
  check(
    'do not come from deny-write',
    [tree('write', '/a'), tree('deny-write', '/a/b'), tree('write', '/a/b/c')],
    undefined,
  );
  check(
    'are not hidden by a deny-write',
    [tree('write', '/a'), tree('read', '/a/b'), tree('deny-write', '/a/b')],
    {
      path: '/a/b',
      before: 'read',
      after: 'read-write',
    },
  );
  check(
    'are the first of several: by parts, not by characters',
    [tree('write', '/a'), tree('read', '/a/b'), tree('deny', '/a-b'), tree('read', '/a-b/c')],
    { path: '/a/b', before: 'read', after: 'read-write' },
  );

  it('are decided by the most specific rule, or by the broadest', () => {
    const rules = [
      tree('read', '/a/b'),
      exact('read', '/a/b'),
      tree('deny', '/a'),
      tree('deny', '/'),
      tree('read', '/x'),
    ];
    const conflict = { path: '/a/b', before: 'read', after: 'none' } as const;
    assert.deepEqual(decidingRules(rules, conflict), {
      before: exact('read', '/a/b'),
      after: tree('deny', '/'),
    });
    assert.throws(() => decidingRules([], conflict), {
      name: 'RangeError',
      message: 'no rule gives read and none on /a/b: pass the rules that are in conflict',
    });
  });

  it('are looked for in time that grows with the rules, not with their square', () => {
    // As deep, and as wide, as 4,096 rules of at most 4,096 bytes can be; squared, that is minutes.
    const deep = Array.from({ length: 2048 }, (_, depth) => tree('write', '/a'.repeat(depth + 1)));
    const wide = Array.from({ length: 2048 }, (_, n) => tree('write', `${'/a'.repeat(1000)}/${n}`));
    const started = process.cpuUsage();
    assert.equal(findConflict([...deep, ...wide]), undefined);
    assert.ok(findConflict([...wide, ...deep, exact('read', `${'/a'.repeat(1000)}/9`)]) !== undefined);
    assert.ok(process.cpuUsage(started).user < 20_000_000);
  });
});
