/**
 * bubblewrap starting the very same runner, `code-runner`, for each program: what one would do without this package. The
 * flags give it as much isolation as a sandbox of ours has from namespaces; it has no seccomp filter and no Landlock.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { measure } from '../measure.js';
import type { Subject } from '../subject.js';
import { checkAnswer, TOOLS, type Workload } from '../workloads.js';

const NAME = 'bwrap + code-runner';
const RUNNER = fileURLToPath(new URL('../../build/Release/code-runner', import.meta.url));

/** As a pool's run has it, when nothing else is said. */
const TIMEOUT_MS = 60_000;

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

interface Frame {
  type: string;
  id?: number;
  name?: keyof typeof TOOLS;
  arguments?: never;
  result?: unknown;
  error?: unknown;
}

export async function bubblewrapSubject(): Promise<Subject> {
  if (!existsSync(RUNNER)) throw new Error(`${RUNNER} is missing: run "npm run build"`);
  return {
    name: NAME,
    measure: (workload, inFlight, count) => measure(() => runOnce(workload), inFlight, count),
    close: async () => {},
  };
}

function executeFrame({ program }: Workload): string {
  return JSON.stringify({
    version: 'code-bridge-v1',
    type: 'execute',
    executionId: 'bench',
    code: program,
    tools: Object.keys(TOOLS).map((name) => ({ name })),
    features: ['parallel-tools'],
    limits: { maxToolCalls: 64, maxResultBytes: 524_288, timeoutMs: TIMEOUT_MS },
  });
}

function runOnce(workload: Workload): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('bwrap', FLAGS, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    const bridge = child.stdio[3] as Duplex;
    let answer: unknown;
    child.on('error', (error) =>
      reject(new Error('cannot start bwrap: install bubblewrap', { cause: error })),
    );
    child.on('close', () => {
      try {
        checkAnswer(NAME, workload, answer);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    bridge.on('error', reject);
    createInterface({ input: bridge }).on('line', (line) => {
      const frame = JSON.parse(line) as Frame;
      if (frame.type === 'execution.result') {
        answer = frame.result ?? frame.error;
        bridge.end();
      } else if (frame.type === 'tool.call' && frame.name !== undefined) {
        const { id } = frame;
        const result = TOOLS[frame.name](frame.arguments as never);
        bridge.write(
          `${JSON.stringify({ version: 'code-bridge-v1', type: 'tool.result', id, ok: true, result })}\n`,
        );
      }
    });
    bridge.write(`${executeFrame(workload)}\n`);
  });
}
