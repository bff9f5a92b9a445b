/**
 * `@anthropic-ai/sandbox-runtime`: a process for each program, in bubblewrap, with its seccomp filter against Unix
 * sockets and its proxies for the network, which here let nothing through. It sandboxes commands and has no JavaScript
 * engine: the command is Node.js, as one would run a program with it, or `code-runner`, which starts much faster.
 */
import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { SandboxManager } from '@anthropic-ai/sandbox-runtime';
import { findProgram } from '../../../scripts/lib/commands.mjs';
import { converse } from '../../code-bridge.js';
import { MEMORY_BYTES, type Peer, TIMEOUT_MS } from '../peer.js';

const MEGABYTE = 1024 * 1024;
const RUNNER = fileURLToPath(new URL('../../../build/Release/code-runner', import.meta.url));
const GUEST = fileURLToPath(new URL('./sandbox-runtime-guest.mjs', import.meta.url));

export function startWithNode(): Promise<Peer> {
  return start([process.execPath, `--max-old-space-size=${MEMORY_BYTES / MEGABYTE}`, GUEST]);
}

export function startWithCodeRunner(): Promise<Peer> {
  return start([RUNNER, '--timeout-ms', String(TIMEOUT_MS)]);
}

/** Peers of one process share the manager, and its configuration. */
let users = 0;

async function start(words: string[]): Promise<Peer> {
  if (users++ === 0) {
    await SandboxManager.initialize({
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
      // Otherwise it looks for them with `which`, and on a busy machine gives up after a second.
      bwrapPath: pathOf('bwrap'),
      socatPath: pathOf('socat'),
      ripgrep: { command: pathOf('rg') },
    });
  }
  const command = words.map(quoted).join(' ');
  return {
    run: (program) => run(command, program),
    async close() {
      if (--users === 0) await SandboxManager.reset();
    },
  };
}

function pathOf(program: string): string {
  const path = findProgram(program);
  if (path === undefined) throw new Error(`${program} is not on the PATH: run "npm run bench:peers"`);
  return path;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

async function run(command: string, program: string): Promise<unknown> {
  const wrapped = await SandboxManager.wrapWithSandbox(command);
  try {
    return await runWrapped(wrapped, program);
  } finally {
    SandboxManager.cleanupAfterCommand();
  }
}

async function runWrapped(command: string, program: string): Promise<unknown> {
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve(signal ?? `exit status ${status}`));
  });
  const [outcome, end] = await Promise.all([converse(child.stdio[3] as Duplex, program), ended]);
  if (outcome?.ok) return outcome.result;
  const why = outcome ? JSON.stringify(outcome.error) : `it ended without a word (${end})`;
  throw new Error(`the sandboxed command gave no result: ${why} ${errors}`.trimEnd());
}
