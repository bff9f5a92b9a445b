/** Runs the load in a process of its own, with a profiler at work between its warm-up and its end. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Profiled } from './load.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LOAD = fileURLToPath(new URL('./load.ts', import.meta.url));

/** From the start to each of its two messages; some seconds where nothing else runs. */
const TIMEOUT_MS = 60_000;

/**
 * `nodeOptions`: for the process of the load. `beside`: is called when it has warmed up; the executions begin when that has
 * returned, and what it returns is awaited when they are over.
 */
export async function profiledLoad(
  runMs: number,
  nodeOptions: string[] = [],
  beside: () => Promise<void> = async () => {},
): Promise<Profiled> {
  const child = fork(LOAD, {
    cwd: ROOT,
    execArgv: ['--import', './scripts/register-ts.mjs', ...nodeOptions],
    timeout: 2 * TIMEOUT_MS + runMs,
  });
  const exited = once(child, 'exit');
  const tooEarly = exited.then(([code, signal]) => {
    throw new Error(`the process whose executions are profiled ended too early (${signal ?? code})`);
  });
  const said = async () => {
    const [message] = await Promise.race([once(child, 'message'), tooEarly]);
    return message as unknown;
  };
  try {
    await said();
    const besideEnded = beside();
    child.send(runMs);
    const profiled = (await said()) as Profiled;
    await Promise.all([besideEnded, exited]);
    return profiled;
  } finally {
    if (child.exitCode === null) child.kill();
  }
}
