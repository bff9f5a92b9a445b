// Policies: their binary form says all of them, no order matters, and evaluation and conflicts are as the short definitions say.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compilePolicy,
  decidingRules,
  decodePolicy,
  evaluate,
  findConflict,
  type Permission,
  type Policy,
  PolicyError,
  type ResolvedRule,
} from '../../src/policy/index.js';
import { parameters, seed } from './parameters.js';
import { policy, resolvedRules, universe } from './policy-arbitrary.js';

type Rule = Pick<ResolvedRule, 'access' | 'scope' | 'path'>;

/** By the parts of both paths. */
function applies({ scope, path }: Rule, to: string): boolean {
  const parts = (text: string): string[] => text.split('/').filter((part) => part !== '');
  const [own, others] = [parts(path), parts(to)];
  if (scope === 'exact') return own.join('/') === others.join('/');
  return own.every((part, index) => part === others[index]);
}

function additive(rules: readonly Rule[], path: string): Permission {
  const has = (access: Rule['access']) => rules.some((rule) => rule.access === access && applies(rule, path));
  if (has('deny')) return 'none';
  if (has('write') && !has('deny-write')) return 'read-write';
  return has('read') || has('write') ? 'read' : 'none';
}

/** What the rule says that is written on the longest path, exact before tree; deny before write before read on one target. */
function mostSpecific(rules: readonly Rule[], path: string): Permission {
  const rank = ({ path: own, scope, access }: Rule): number =>
    own.length * 100 + (scope === 'exact' ? 10 : 0) + ['read', 'write', 'deny'].indexOf(access);
  const applying = rules.filter((rule) => applies(rule, path)).sort((one, other) => rank(other) - rank(one));
  const winner = applying[0]?.access;
  return winner === 'write' ? 'read-write' : winner === 'read' ? 'read' : 'none';
}

function shuffled<T>(values: readonly T[], by: readonly number[]): T[] {
  return values
    .map((value, index) => ({ value, key: by[index] ?? 0 }))
    .sort((one, other) => one.key - other.key)
    .map(({ value }) => value);
}

const keys = fc.array(fc.nat(), { minLength: 12, maxLength: 12 });

describe('properties: policies', () => {
  it('are said in full by their binary form', () => {
    fc.assert(
      fc.property(policy, (value) => {
        const compiled = compilePolicy(value);
        const { policy: written, ...decoded } = decodePolicy(compiled.bytes);
        const { policy: _source, ...rest } = compiled;
        assert.deepEqual(decoded, rest);
        assert.equal(compilePolicy(written).digest, compiled.digest);
        assert.equal(compilePolicy(JSON.stringify(value)).digest, compiled.digest);
      }),
      parameters(500),
    );
  });

  it('do not depend on the order of rules and destinations, nor on what is there twice', () => {
    fc.assert(
      fc.property(policy, keys, (value, by) => {
        const { rules } = value.filesystem;
        const { network } = value;
        const other: Policy = {
          ...value,
          filesystem: { default: 'deny', rules: shuffled([...rules, ...rules.slice(0, 3)], by) },
          network: network.mode === 'mediated' ? { ...network, allow: shuffled(network.allow, by) } : network,
        };
        assert.equal(compilePolicy(other).digest, compilePolicy(value).digest);
      }),
      parameters(500),
    );
  });

  it('are decoded from their own bytes only, or refused', () => {
    fc.assert(
      fc.property(policy, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, place, change) => {
        const { bytes } = compilePolicy(value);
        const changed = Buffer.from(bytes);
        const offset = place % bytes.length;
        changed[offset] = (changed[offset] ?? 0) ^ change;
        try {
          assert.deepEqual(decodePolicy(changed).bytes, changed);
        } catch (error) {
          assert.ok(error instanceof PolicyError, String(error));
        }
      }),
      parameters(1000),
    );
  });

  it('are no text but JSON of one: any other is a PolicyError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        assert.throws(() => compilePolicy(text), PolicyError);
      }),
      parameters(1000),
    );
  });

  it('are evaluated as the definition says, in any order', () => {
    fc.assert(
      fc.property(resolvedRules, keys, (rules, by) => {
        const other = shuffled(rules, by);
        for (const path of universe) {
          const { permission } = evaluate(rules, path);
          assert.equal(permission, additive(rules, path), path);
          assert.deepEqual(evaluate(other, path), evaluate(rules, path));
        }
      }),
      parameters(500),
    );
  });

  it('are in conflict exactly where the two readings differ somewhere', () => {
    let conflicts = 0;
    fc.assert(
      fc.property(resolvedRules, keys, (rules, by) => {
        const judged = rules.filter(({ access }) => access !== 'deny-write');
        const differing = universe.filter((path) => mostSpecific(judged, path) !== additive(judged, path));
        const conflict = findConflict(rules);
        assert.deepEqual(findConflict(shuffled(rules, by)), conflict);
        assert.equal(conflict !== undefined, differing.length > 0, `differ on ${differing.join(' ')}`);
        if (conflict === undefined) return;
        conflicts++;
        const { path, before, after } = conflict;
        assert.equal(mostSpecific(judged, path), before);
        assert.equal(additive(judged, path), after);
        assert.notEqual(before, after);
        const deciding = decidingRules(rules, conflict);
        assert.ok(applies(deciding.before, path) && applies(deciding.after, path));
      }),
      parameters(2000),
    );
    assert.ok(conflicts > 100, `only ${conflicts} conflicts among the examples, with the seed ${seed}`);
  });
});
