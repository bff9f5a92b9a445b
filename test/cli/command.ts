/** Runs the command line as it is published, from `dist`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('cli/main.js', import.meta.resolve('wardenpool')));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `cwd`: default ours. */
export async function wardenpool(args: string[], stdin = '', cwd?: string): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'pipe', cwd });
  const exited = once(child, 'exit');
  // A command that fails early does not read its stdin.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exited) as [number | null];
  return { code, stdout, stderr };
}
