/** Runs `wardenpool run` as it is published: with bytes, as other users, with descriptors. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { MAIN } from './command.js';

export interface RunEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
}

export interface Place {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

/** As `wardenpool run ARGS`; its stdin stays open. */
export function startRun(args: readonly string[], place: Place = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, 'run', ...args], { ...place, stdio: 'pipe' });
}

/** Waits for its end. What was read of its streams before is not in the result. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<RunEnd> {
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const [stdout, stderr, [code, signal]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    exited,
  ]);
  return { code, signal, stdout, stderr: stderr.toString() };
}

export function run(
  args: readonly string[],
  stdin: string | Buffer = '',
  place: Place = {},
): Promise<RunEnd> {
  const child = startRun(args, place);
  // A command that fails early does not read its stdin.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  return endOf(child);
}

/** By a POSIX shell, where `$RUN` is `wardenpool run`: for bytes, redirections and pipes. */
export async function runByShell(program: string, place: Place = {}): Promise<RunEnd> {
  const RUN = `${process.execPath} ${MAIN} run`;
  const child = spawn('bash', ['-c', program], {
    ...place,
    env: { ...process.env, ...place.env, RUN },
    stdio: 'pipe',
  });
  child.stdin.end();
  return endOf(child);
}
