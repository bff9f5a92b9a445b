/** Any policy, and any rules as they are after resolution; in small worlds, so that rules meet. */
import fc from 'fast-check';
import type {
  Policy,
  PolicyDestination,
  PolicyNetwork,
  PolicyPath,
  PolicyRule,
  ResolvedRule,
} from '../../src/policy/index.js';

const access = fc.constantFrom('read', 'write', 'deny', 'deny-write');
const scope = fc.constantFrom('tree', 'exact');

const part = fc.constantFrom('a', 'b', 'a-b', 'ab', 'é', '\u{1f600}', '\uff5e');
const noise = fc.constantFrom('/', '//', '/./');
const relative = fc
  .tuple(fc.array(part, { maxLength: 3 }), noise)
  .map(([parts, separator]) => parts.join(separator));

const path: fc.Arbitrary<PolicyPath> = fc.oneof(
  fc.constant({ special: 'minimal-runtime' } as const),
  fc.record({ root: fc.constantFrom('workspace', 'temp'), relative }, { requiredKeys: ['root'] }),
  relative.map((text) => ({ absolute: `/${text}` })),
);

const rule: fc.Arbitrary<PolicyRule> = fc.record(
  { access, path, scope, missing: fc.constantFrom('error', 'skip') },
  { requiredKeys: ['access', 'path'] },
);

const name = fc.constantFrom('a.example', 'A.example', 'b.example', 'xn--a', 'a-1.2b');
const destination: fc.Arbitrary<PolicyDestination> = fc.oneof(
  fc.record(
    {
      protocol: fc.constant('tcp'),
      host: name,
      port: fc.constantFrom(1, 443, 65535),
      requireTlsSni: fc.boolean(),
      allowPrivateAddresses: fc.boolean(),
    },
    { requiredKeys: ['protocol', 'host', 'port'] },
  ),
  fc.record({ protocol: fc.constant('tcp'), host: fc.ipV4(), port: fc.integer({ min: 1, max: 65535 }) }),
);

const network: fc.Arbitrary<PolicyNetwork> = fc.oneof(
  fc.constantFrom({ mode: 'none' } as const, { mode: 'direct' } as const),
  fc
    .array(destination, { minLength: 1, maxLength: 8 })
    .map((allow) => ({ mode: 'mediated' as const, allow })),
);

export const policy: fc.Arbitrary<Policy> = fc.record(
  {
    $schema: fc.string(),
    formatVersion: fc.constant(3),
    filesystem: fc.record({ default: fc.constant('deny'), rules: fc.array(rule, { maxLength: 12 }) }),
    network,
    root: fc.record({ mode: fc.constantFrom('read-only', 'ephemeral-write') }),
    process: fc.record({ treeConfinement: fc.constantFrom('required', 'disabled') }),
  },
  { requiredKeys: ['formatVersion', 'filesystem', 'network', 'root', 'process'] },
);

const names = ['a', 'ab', 'b'];

/** Every path of three names that is at most three parts deep, and one name that no rule has. */
export const universe: readonly string[] = [
  '/',
  ...[1, 2, 3, 4].flatMap((depth) => pathsOf(depth, depth === 4 ? ['none'] : [...names, 'none'])),
];

function pathsOf(depth: number, last: readonly string[]): string[] {
  const parents = depth === 1 ? [''] : pathsOf(depth - 1, names);
  return parents.flatMap((parent) => last.map((one) => `${parent}/${one}`));
}

/** Rules on paths of that world. */
export const resolvedRules: fc.Arbitrary<Pick<ResolvedRule, 'access' | 'scope' | 'path'>[]> = fc.array(
  fc.record({
    access,
    scope,
    path: fc.array(fc.constantFrom(...names), { maxLength: 3 }).map((parts) => `/${parts.join('/')}`),
  }),
  { maxLength: 6 },
);
