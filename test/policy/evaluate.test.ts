// What a path has, and why.
import assert from 'node:assert/strict';
import { compilePolicy, evaluate, PolicyError, type ResolvedRule, readOnly } from '../../src/policy/index.js';

type Rule = Pick<ResolvedRule, 'access' | 'scope' | 'path'>;

const tree = (access: Rule['access'], path: string): Rule => ({ access, scope: 'tree', path });
const exact = (access: Rule['access'], path: string): Rule => ({ access, scope: 'exact', path });

describe('policy: evaluation', () => {
  const check = (title: string, rules: Rule[], answers: Record<string, string>): void => {
    it(title, () => {
      for (const ordered of [rules, [...rules].reverse()]) {
        for (const [path, answer] of Object.entries(answers)) {
          const { permission, reason } = evaluate(ordered, path);
          assert.equal(`${permission} by ${reason}`, answer, path);
        }
      }
    });
  };

  check('denies what no rule applies to', [], { '/': 'none by default-deny', '/a': 'none by default-deny' });
  check('applies a tree to its path and what is below, by whole parts', [tree('read', '/data')], {
    '/data': 'read by read-rule',
    '/data/x/y': 'read by read-rule',
    '/data2': 'none by default-deny',
    '/dat': 'none by default-deny',
    '/': 'none by default-deny',
  });
  check('applies the tree / to everything', [tree('write', '/')], {
    '/': 'read-write by write-rule',
    '/a/b': 'read-write by write-rule',
  });
  check('applies an exact rule to its path alone', [exact('read', '/'), exact('write', '/data')], {
    '/': 'read by read-rule',
    '/data': 'read-write by write-rule',
    '/data/x': 'none by default-deny',
  });
  check('adds grants up', [tree('read', '/data'), tree('write', '/data/out')], {
    '/data/in': 'read by read-rule',
    '/data/out/x': 'read-write by write-rule',
  });
  check(
    'lets no grant back into what is denied',
    [tree('deny', '/data'), tree('write', '/data/out'), tree('read', '/')],
    {
      '/data/out/x': 'none by deny-rule',
      '/datum': 'read by read-rule',
    },
  );
  check('gives a denial as the reason where nothing is granted', [tree('deny', '/data')], {
    '/data/x': 'none by deny-rule',
  });
  check(
    'takes writing away, and leaves reading',
    [tree('write', '/data'), tree('deny-write', '/data/.git')],
    {
      '/data/.git/config': 'read by deny-write-rule',
      '/data/x': 'read-write by write-rule',
    },
  );
  check(
    'gives deny-write as the reason only where a write is taken away',
    [tree('read', '/data'), tree('deny-write', '/')],
    { '/data': 'read by read-rule', '/x': 'none by default-deny' },
  );
  check('lets no write back below a deny-write', [tree('deny-write', '/data'), tree('write', '/data/out')], {
    '/data/out': 'read by deny-write-rule',
  });

  it('collapses // and . of a path', () => {
    assert.equal(evaluate([exact('read', '/data/x')], '//data/./x/').permission, 'read');
  });

  it('refuses rules that were not resolved, which would apply to no path', () => {
    const { rules } = compilePolicy(readOnly());
    assert.throws(() => evaluate(rules, '/usr'), {
      name: 'PolicyError',
      message:
        'evaluate() takes resolved rules, and the path of rule 0 is "": pass what resolvePolicy() gives',
    });
    assert.throws(() => evaluate([{ ...tree('read', '/'), access: 'execute' as 'read' }], '/usr'), {
      message: 'evaluate() takes resolved rules, and rule 0 is an object: pass what resolvePolicy() gives',
    });
  });

  it('refuses a path that is not absolute, or that it cannot judge', () => {
    const cases: [string, string][] = [
      ['data', 'the path "data" is not absolute: resolve it first'],
      [7 as unknown as string, 'the path 7: a path is a text'],
      ['', 'the path "" is not absolute: resolve it first'],
      ['/a/../b', 'the path "/a/../b": ".." leads out of what a rule names; write the path without it'],
      ['/a\0', 'the path "/a\\u0000": a path cannot have a NUL character; remove it'],
    ];
    for (const [path, message] of cases) {
      assert.throws(() => evaluate([tree('read', '/')], path), new PolicyError(message));
    }
  });
});
