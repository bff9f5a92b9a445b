/** Many runs of every outcome through a pool, and commands of every outcome: each must end as it has to. */
import type { Pool } from 'wardenpool';
import { readOnly, spawnIsolated } from 'wardenpool/executor';
import { MIXED_TOOLS, type MixedProgram, mixedProgram } from './programs.js';

/** How often each end was seen. */
export type Outcomes = Record<string, number>;

const ABORT_MS = 5;

/** Runs the programs `from` to `to` (exclusive), so many at a time, and counts their ends. Rejects at one that is not its own. */
export async function runMixed(
  pool: Pool,
  { from, to, inFlight }: { from: number; to: number; inFlight: number },
  outcomes: Outcomes,
): Promise<void> {
  let next = from;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < to) {
        const program = mixedProgram(next++);
        const end = await endOf(pool, program);
        if (end !== program.end) throw new Error(`"${program.code}" ended with ${end}, not ${program.end}`);
        outcomes[end] = (outcomes[end] ?? 0) + 1;
      }
    }),
  );
}

async function endOf(pool: Pool, { code, timeoutMs, isAborted }: MixedProgram): Promise<string> {
  const controller = new AbortController();
  if (isAborted) setTimeout(() => controller.abort(), ABORT_MS);
  try {
    const limits = timeoutMs === undefined ? {} : { timeoutMs };
    const run = await pool.run(code, MIXED_TOOLS, { limits, signal: controller.signal });
    return run.ok ? 'ok' : run.error.kind;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    return 'aborted';
  }
}

/** What commands end with: a code, a signal, or that they could not be started. */
const COMMANDS: readonly [command: string[], end: string][] = [
  [['true'], 'code 0'],
  [['sh', '-c', 'echo x >&3; echo y; exit 1'], 'code 1'],
  [['sh', '-c', 'kill -9 $$'], 'SIGKILL'],
  [['sh', '-c', 'sleep 600 & exit'], 'code 0'],
  [['wardenpool-no-such'], 'not started'],
];

/** Runs so many commands, some at a time, on the backend that this machine has. Rejects at one that ends otherwise than it has to. */
export async function runCommands(count: number, outcomes: Outcomes): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < count) {
        const [command, expected] = COMMANDS[next++ % COMMANDS.length] ?? [[], ''];
        const end = await commandEnd(command);
        if (end !== expected) throw new Error(`${command.join(' ')} ended with ${end}, not ${expected}`);
        outcomes[`command: ${end}`] = (outcomes[`command: ${end}`] ?? 0) + 1;
      }
    }),
  );
}

async function commandEnd(command: string[]): Promise<string> {
  const execution = spawnIsolated(command, {
    policy: readOnly(),
    limits: { memoryBytes: 100_000_000, processes: 16 },
  });
  execution.protocol.resume().end();
  try {
    const { returncode, signal } = await execution.wait();
    return signal ?? `code ${returncode}`;
  } catch (error) {
    if ((error as Error).name !== 'SpawnFailed') throw error;
    return 'not started';
  }
}
