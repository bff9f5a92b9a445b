/** docs/attacks.md: each attack with the end that it must meet, and where it is tried. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  COMMAND_ATTACKS,
  POLICY_ATTACKS,
  PROGRAM_ATTACKS,
  RUNNER_ATTACKS,
  UNFILTERED_ATTACKS,
} from '../isolation/all-attacks.js';
import type { Attack } from '../isolation/commands/attack.js';
import { BACKENDS, lackingFor } from '../isolation/commands/backends.js';
import { RUNNER_BACKENDS } from '../isolation/places.js';
import type { RunnerAttack } from '../isolation/runner/attack.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const HEAD = `# Attacks

What \`npm test\` tries on every run, each attack with the end that it must meet. Another end fails the run. Each is tried twice where it says "root, user":
by a host that is root, and by one of an ordinary user. Written from the tests by \`npm run docs:isolation\`; a test says when this page is stale. What
the guarantees are, and their limits, is in [isolation.md](isolation.md); which system calls there are, in [system-calls.md](system-calls.md).
`;

const PROGRAMS = `## By a program

JavaScript that was handed to \`run()\` of a pool (\`test/isolation/programs\`): what it tries on its engine, its bridge, its host and its neighbours. After
each attack the next program of the same pool must find everything in order, and no built-in object of the host may have changed. An end such as
\`timeout\` or \`javascript\` is the kind of the run's error.
`;

const RUNNER = `## In the place of a runner

An attacker that was linked into the launcher around the real runner takes over after the last confinement step (\`native/probe/runner\`,
\`test/isolation/runner\`). Besides these, every number from 0 to 600 is called by the 64-bit, the x32 and the 32-bit interface in each place
(\`test/isolation/system-calls.test.ts\`).
`;

const UNFILTERED = `## Behind the seccomp filters

The same attacker in a launcher that installs no filter, so that the other walls stand alone. What is possible here is so without a filter only.
`;

const FACTS = `## As the kernel shows it to the host

What a sandbox has while its program waits for a tool, read from \`/proc\` by the host (\`test/e2e/facts.test.ts\`).
`;

const COMMANDS = `## By a command

\`native/probe\` as a command (\`test/isolation/commands\`). "refused": the backend lacks what the command's policy or limits need, and nothing is
started.
`;

const POLICIES = `## On a policy

By the command itself, and by processes of the host that change names while it starts and runs.
`;

/** The whole document as Markdown. */
export function attacksDocument(): string {
  return [
    HEAD,
    PROGRAMS,
    placesTable(PROGRAM_ATTACKS),
    RUNNER,
    placesTable(RUNNER_ATTACKS),
    UNFILTERED,
    placesTable(UNFILTERED_ATTACKS),
    FACTS,
    factsTable(),
    COMMANDS,
    commandTable(COMMAND_ATTACKS),
    POLICIES,
    commandTable(POLICY_ATTACKS),
  ].join('\n');
}

const BY_BOTH = 'root, user';

/** An attack that is tried in every place. */
type Stated = Pick<RunnerAttack, 'name' | 'end'>;

function placesTable(attacks: readonly Stated[]): string {
  return table(
    ['attack', 'end', ...RUNNER_BACKENDS],
    attacks.map(({ name, end }) => [name, end, ...RUNNER_BACKENDS.map(() => BY_BOTH)]),
  );
}

function commandTable(attacks: readonly Attack[]): string {
  const backends = Object.entries(BACKENDS);
  return table(
    ['attack', 'end', ...backends.map(([name]) => name)],
    attacks.map((attack) => [
      attack.name,
      attack.end,
      ...backends.map(([, missing]) => (lackingFor(attack, missing).length === 0 ? BY_BOTH : 'refused')),
    ]),
  );
}

interface Listing {
  tests: { title: string; fullTitle: string }[];
}

/** Mocha itself says which facts there are, without looking at any. */
function factsTable(): string {
  const listing = execFileSync(
    process.execPath,
    ['node_modules/mocha/bin/mocha.js', '--dry-run', '--reporter', 'json', 'test/e2e/facts.test.ts'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, WARDENPOOL_TEST_COUNTS: '' } },
  );
  const { tests } = JSON.parse(listing) as Listing;
  const kinds = [
    'backend namespaces, isolation default',
    'backend namespaces, isolation strict',
    'backend seccomp, isolation default',
  ];
  const titles = [...new Set(tests.map(({ title }) => title))];
  const has = (title: string, kind: string) =>
    tests.some((each) => each.title === title && each.fullTitle.includes(kind));
  return table(
    ['fact', ...RUNNER_BACKENDS],
    titles
      .filter((title) => kinds.some((kind) => has(title, kind)))
      .map((title) => [title, ...kinds.map((kind) => (has(title, kind) ? 'yes' : ''))]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}
