/**
 * bubblewrap starting the very same runner, `code-runner`, for each program: what one would do without this package. The
 * flags give it as much isolation as a sandbox of ours has from namespaces; it has no seccomp filter and no Landlock.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { converse } from '../code-bridge.js';
import { measure } from '../measure.js';
import type { Subject } from '../subject.js';
import { checkAnswer, TIMEOUT_MS, type Workload } from '../workloads.js';

const NAME = 'bwrap + code-runner';
const RUNNER = fileURLToPath(new URL('../../build/Release/code-runner', import.meta.url));

const FLAGS = [
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  '--clearenv',
  '--cap-drop',
  'ALL',
  '--ro-bind',
  RUNNER,
  '/code-runner',
  '--',
  '/code-runner',
  '--timeout-ms',
  String(TIMEOUT_MS),
];

export async function bubblewrapSubject(): Promise<Subject> {
  if (!existsSync(RUNNER)) throw new Error(`${RUNNER} is missing: run "npm run build"`);
  return {
    name: NAME,
    measure: (workload, inFlight, count) => measure(() => runOnce(workload), inFlight, count),
    close: async () => {},
  };
}

async function runOnce(workload: Workload): Promise<void> {
  const child = spawn('bwrap', FLAGS, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const ended = once(child, 'close').catch((cause) => {
    throw new Error('cannot start bwrap: install bubblewrap', { cause });
  });
  const [outcome] = await Promise.all([converse(child.stdio[3] as Duplex, workload.program), ended]);
  checkAnswer(NAME, workload, outcome?.result ?? outcome?.error);
}
