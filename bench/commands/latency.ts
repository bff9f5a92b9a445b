/** How long a command takes from the call to its end, beside bubblewrap with the same view of the machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { readOnly, spawnIsolated } from 'wardenpool/executor';

const RUNTIME = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap((path) =>
  !existsSync(path)
    ? []
    : lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : ['--ro-bind', path, path],
);

const FLAGS = [
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  '--clearenv',
  ...['--cap-drop', 'ALL'],
  ...['--ro-bind', '/usr', '/usr'],
  ...RUNTIME,
  ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
  ...['--ro-bind', process.cwd(), '/workspace', '--chdir', '/workspace'],
];

const STARTS = {
  spawnIsolated: async () => {
    const execution = spawnIsolated(['true'], { policy: readOnly(), workspace: process.cwd() });
    execution.protocol.resume();
    return (await execution.wait()).returncode;
  },
  bubblewrap: async () => {
    const child = spawn('bwrap', [...FLAGS, 'true'], { stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  },
} as const;

export type Starter = keyof typeof STARTS;
export const STARTERS = Object.keys(STARTS) as Starter[];

/** Milliseconds. */
export async function startOnce(starter: Starter): Promise<number> {
  const from = performance.now();
  const code = await STARTS[starter]();
  if (code !== 0) throw new Error(`${starter} ended with ${code}`);
  return performance.now() - from;
}
