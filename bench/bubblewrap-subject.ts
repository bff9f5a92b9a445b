/**
 * bubblewrap starting the very same runner, `code-runner`, for each program: what one would do without this package. The
 * flags give it as much isolation as a sandbox of ours has from namespaces; it has no seccomp filter and no Landlock.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { checkAnswer, double, PROGRAM, type Subject } from './subject.js';

const RUNNER = fileURLToPath(new URL('../build/Release/code-runner', import.meta.url));

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
];

const EXECUTE = JSON.stringify({
  version: 'code-bridge-v1',
  type: 'execute',
  executionId: 'bench',
  code: PROGRAM,
  tools: [{ name: 'math.double' }],
  limits: { maxToolCalls: 64, maxResultBytes: 524_288, timeoutMs: 5_000 },
});

interface Frame {
  type: string;
  id?: number;
  arguments?: { value: number };
  result?: unknown;
}

export async function bubblewrapSubject(): Promise<Subject> {
  if (!existsSync(RUNNER)) throw new Error(`${RUNNER} is missing: run "npm run build"`);
  return { name: 'bwrap + code-runner', run: runOnce, close: async () => {} };
}

function runOnce(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('bwrap', FLAGS, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    const bridge = child.stdio[3] as Duplex;
    let answer: unknown;
    child.on('error', (error) =>
      reject(new Error('cannot start bwrap: install bubblewrap', { cause: error })),
    );
    child.on('close', () => {
      try {
        checkAnswer('bwrap + code-runner', answer);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    bridge.on('error', reject);
    createInterface({ input: bridge }).on('line', (line) => {
      const frame = JSON.parse(line) as Frame;
      if (frame.type === 'execution.result') {
        answer = frame.result;
        bridge.end();
      } else if (frame.type === 'tool.call' && frame.arguments !== undefined) {
        const { id } = frame;
        const result = double(frame.arguments);
        bridge.write(
          `${JSON.stringify({ version: 'code-bridge-v1', type: 'tool.result', id, ok: true, result })}\n`,
        );
      }
    });
    bridge.write(`${EXECUTE}\n`);
  });
}
