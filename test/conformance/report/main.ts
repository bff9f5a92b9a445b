/** Both suites as programs: cases, a report on standard output, and an exit code. */
import { availableParallelism } from 'node:os';
import { readArguments, type SuiteArguments, UsageError } from './arguments.js';
import { type Case, type Outcome, titleOf } from './cases.js';
import { schedule } from './schedule.js';
import { requireStartable } from './startable.js';
import { countsOf, json, table } from './text.js';

export interface Suite {
  cases: readonly Case[];
  granted?: ReadonlySet<string>;
}

/** The first failure of a case stands for all its rounds. */
function worst(rounds: Outcome[][]): Outcome[] {
  const [first = []] = rounds;
  return first.map(
    (outcome, index) =>
      rounds.map((round) => round[index]).find((each) => each?.status === 'failed') ?? outcome,
  );
}

/** Every case would fail, and none would say more than this. */
async function requireCommand({ command, arguments: others }: SuiteArguments): Promise<void> {
  try {
    await requireStartable(command, others);
  } catch (error) {
    throw new UsageError(
      `'${command}' cannot be started: ${(error as Error).message}; name an executable file`,
    );
  }
}

async function run(
  words: SuiteArguments,
  prepare: (words: SuiteArguments) => Promise<Suite>,
): Promise<number> {
  await requireCommand(words);
  const { cases, granted } = await prepare(words);
  const chosen = cases.filter((each) => titleOf(each).includes(words.grep));
  if (chosen.length === 0) throw new UsageError(`no case has '${words.grep}' in its title`);
  const options = { concurrency: availableParallelism() * 2, ...(granted !== undefined && { granted }) };
  const rounds: Outcome[][] = [];
  for (let i = 0; i < words.repeat; i++) rounds.push(await Promise.all(schedule(chosen, options)));
  const outcomes = worst(rounds);
  const about = { command: [words.command, ...words.arguments], ...(granted && { granted: [...granted] }) };
  process.stdout.write(words.json ? json(outcomes, about) : table(outcomes));
  return countsOf(outcomes).failed > 0 ? 1 : 0;
}

/** Sets the exit code: 0 if nothing failed, 1 if a case failed, 2 if the suite could not be run. */
export async function main(usage: string, prepare: (words: SuiteArguments) => Promise<Suite>): Promise<void> {
  try {
    process.exitCode = await run(readArguments(process.argv.slice(2)), prepare);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exitCode = 2;
  }
}
