/** Whether a command can be started at all, found out by starting it. Knows neither runners nor hosts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Resolves once the command has started, and has been ended again; rejects with the reason why it does not start. */
export async function requireStartable(command: string, words: readonly string[]): Promise<void> {
  const child = spawn(command, words, { stdio: 'ignore' });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
