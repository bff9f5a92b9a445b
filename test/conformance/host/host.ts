/** The host under test, as the suite sees it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Said {
  stdout: string;
  /** For the message of a failure. */
  diagnostics: string;
}

/** Runs `program` in the runner at this path. `stop` asks it to cancel the run; `kill` ends it. */
export type Host = (
  runner: string,
  program: string,
  signals: { stop: AbortSignal; kill: AbortSignal },
) => Promise<Said>;

/** Characters of stdout and of stderr that are kept. */
const KEPT_CHARACTERS = 2_000_000;

/** A host that is a command: see README.md. */
export function hostCommand(command: string, words: readonly string[]): Host {
  return async (runner, program, { stop, kill }) => {
    const child = spawn(command, [...words, runner], { stdio: 'pipe', signal: kill, killSignal: 'SIGKILL' });
    stop.addEventListener('abort', () => {
      // A child that was never started has no pid: Node may send it to our own process group.
      if (child.pid !== undefined) child.kill('SIGTERM');
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (output[name].length < KEPT_CHARACTERS) output[name] += text;
      });
    }
    // A host need not read its program before it fails.
    child.stdin.on('error', () => {});
    child.stdin.end(program);
    const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
    const { stdout, stderr } = output;
    return { stdout, diagnostics: `exit code ${exitCode}, signal ${signal}\nstderr: ${stderr.slice(-1000)}` };
  };
}
