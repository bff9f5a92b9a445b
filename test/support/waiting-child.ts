/** A child process that does nothing until it is told to: what a cgroup test needs to move it first. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface WaitingChild {
  pid: number;
  /** Lets it run its script. */
  go(): void;
  /** SIGKILL. */
  kill(): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Runs `script` in a POSIX shell, once it may. */
export function waitingChild(script: string): WaitingChild {
  const child: ChildProcess = spawn('/bin/sh', ['-c', `read _; ${script}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { pid, stdin } = child;
  if (pid === undefined || stdin === null) throw new Error('no shell could be started');
  return {
    pid,
    go: () => void stdin.end('\n'),
    kill: () => void child.kill('SIGKILL'),
    ended: once(child, 'exit').then(([code, signal]) => ({ code, signal })),
  };
}
