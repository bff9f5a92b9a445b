/** A process of the host that again and again puts a link in the place of a directory, and the directory in that of the link. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import type { Readable } from 'node:stream';

export interface Swapping {
  /** SIGKILL; the directory is in its place again afterwards. */
  stop(): Promise<void>;
}

/** `probe`: the attacking command, which is an ordinary program outside of a sandbox. The link is beside `directory`. */
export async function swapping(probe: string, directory: string, target: string): Promise<Swapping> {
  const link = `${directory}.link`;
  symlinkSync(target, link);
  const child = spawn(probe, ['swaps', directory, link], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const exit = once(child, 'exit');
  await once(child.stdio[3] as Readable, 'data');
  return {
    async stop() {
      if (child.exitCode !== null)
        throw new Error('the swapping process ended early: this file system cannot exchange names');
      child.kill('SIGKILL');
      await exit;
      if (lstatSync(directory).isSymbolicLink()) {
        rmSync(directory);
        renameSync(link, directory);
      } else rmSync(link);
    },
  };
}
