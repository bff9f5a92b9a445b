/** `evaluate` and the kernel say the same: generated policies, and every path of a small tree tried from inside. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { evaluate, type Policy, readOnly } from 'wardenpool/executor';
import { parameters } from '../../properties/parameters.js';
import { CommandRefused, type Ends } from '../../support/command-host.js';
import { type Attack, attack, type Scene } from './attack.js';

const FILES = ['f', 'a/f', 'a/b/f', 'c/f'];
const DIRECTORIES = ['', 'a', 'a/b', 'c', 'c/d'];
const MISSING = ['m', 'a/m', 'a/b/m', 'c/d/m'];

const POLICIES = 40;

const rule = fc.record({
  access: fc.constantFrom('read', 'write', 'deny', 'deny-write'),
  path: fc.constantFrom(...FILES, ...DIRECTORIES, ...MISSING),
  scope: fc.constantFrom('tree', 'tree', 'tree', 'exact'),
});
type Rule = Parameters<typeof policyOf>[0][number];

function policyOf(rules: readonly { access: string; path: string; scope: string }[]): Policy {
  const written = rules.map(({ access, path, scope }) => ({
    access,
    path: { root: 'workspace', ...(path !== '' && { relative: path }) },
    scope,
    missing: 'skip',
  }));
  const base = readOnly();
  return {
    ...base,
    filesystem: {
      default: 'deny',
      rules: [...base.filesystem.rules.slice(0, 1), ...written] as Policy['filesystem']['rules'],
    },
  };
}

const inside = (path: string) => (path === '' ? '/workspace' : `/workspace/${path}`);

/** What each attempt must come to; an attempt of which nothing follows is left out. */
function expectedOf(rules: readonly Rule[]): Map<string, boolean> {
  const isThere = (path: string) => [...FILES, ...DIRECTORIES].includes(path);
  const resolved = rules
    // A grant of what is missing is left out.
    .filter(({ access, path }) => isThere(path) || access.startsWith('deny'))
    .map(({ access, path, scope }) => ({ access, scope, path: inside(path) })) as Parameters<
    typeof evaluate
  >[0];
  const permission = (path: string) => evaluate(resolved, path).permission;
  const expected = new Map<string, boolean>();
  for (const path of FILES.map(inside)) {
    expected.set(`read ${path}`, permission(path) !== 'none');
    expected.set(`write ${path}`, permission(path) === 'read-write');
  }
  for (const path of DIRECTORIES.map(inside)) {
    // What is above a grant is there, with nothing in it but the way to the grant.
    const isOnTheWay = resolved.some(
      (each) => each.path.startsWith(`${path}/`) && permission(each.path) !== 'none',
    );
    if (!isOnTheWay) expected.set(`list ${path}`, permission(path) !== 'none');
    expected.set(`create ${path}/new`, permission(`${path}/new`) === 'read-write');
  }
  for (const path of MISSING.map(inside)) expected.set(`create ${path}`, permission(path) === 'read-write');
  return expected;
}

/** Undefined: the policy was refused before anything was started. */
async function tryEverything(
  scene: Scene,
  rules: readonly Rule[],
  attempts: readonly string[],
): Promise<Ends | undefined> {
  // What was made is removed at once, so that the next attempt finds the tree as it was.
  const words = attempts.flatMap((attempt) => {
    const [operation = '', path = ''] = attempt.split(' ');
    return operation === 'create' ? [operation, path, 'unlink', path] : [operation, path];
  });
  try {
    return await scene.ends(['files', ...words], { policy: policyOf(rules) });
  } catch (error) {
    if (error instanceof CommandRefused) return undefined;
    throw error;
  }
}

export const AGREEMENT: readonly Attack[] = [
  attack(
    `evaluate() and the kernel agree on every path, for ${POLICIES} generated policies`,
    'they agree',
    async (scene) => {
      scene.fill({ ...Object.fromEntries(FILES.map((path) => [path, 'content'])), 'c/d/': '' });
      let enforced = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 5 }), async (rules) => {
          const expected = expectedOf(rules);
          const ends = await tryEverything(scene, rules, [...expected.keys()]);
          if (ends === undefined) return;
          enforced++;
          const came = [...expected.keys()].map((attempt) => [attempt, ends[attempt] === 'ok']);
          assert.deepEqual(Object.fromEntries(came), Object.fromEntries(expected));
        }),
        parameters(POLICIES),
      );
      assert.ok(enforced >= POLICIES / 2, `only ${enforced} could be enforced`);
    },
    ['fs-deny', 'fs-deny-write', 'fs-protect-create'],
  ),
];
