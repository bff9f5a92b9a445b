/**
 * Counts what one execution costs: the load once as it is, for what the kernel counts of itself, and once under strace, for
 * the system calls.
 */
import { type ExecFileException, execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { spread } from '../measure.js';
import { type Counts, PROCESSES, type Process } from './compare.js';
import type { KernelCounters } from './kernel-counters.js';
import type { Load, Marking } from './load.js';
import { readTrace } from './strace-output.js';
import { type CallCost, tally } from './tally.js';

/** Of one load; the longer one takes some ten seconds where nothing else runs, and minutes where very much does. */
const TIMEOUT_MS = 400_000;
const MAX_OUTPUT_BYTES = 10_000_000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Arguments unread, since reading the memory of a sandbox is slow, and not allowed to every user. */
const STRACE = ['-f', '-q', '-e', 'raw=all', '-e', 'signal=none'];

export async function count(): Promise<Counts> {
  const kernel = kernelCosts(await load('counters', []));
  const calls = await traced();
  const figures: Counts['figures'] = {};
  for (const process of PROCESSES) {
    figures[`${process}: system calls`] = calls[process].systemCalls;
    figures[`${process}: bytes copied`] = calls[process].bytesCopied;
    figures[`${process}: context switches`] = kernel[process].voluntarySwitches;
    // Only Node has an event loop; and its faults come from its heap, which grows as it likes.
    if (process === 'node') figures['node: epoll waits'] = calls.node.epollWaits;
    else figures[`${process}: page faults`] = kernel[process].minorFaults;
  }
  return {
    figures,
    systemCalls: {
      node: calls.node.byName,
      launcher: calls.launcher.byName,
      sandbox: calls.sandbox.byName,
    },
  };
}

async function traced(): Promise<Record<Process, CallCost>> {
  const folder = mkdtempSync(join(tmpdir(), 'wardenpool-counts-'));
  const file = join(folder, 'trace');
  try {
    const roles = await load('trace', ['strace', ...STRACE, '-o', file]);
    return tally(readTrace(readFileSync(file, 'utf8')), roles, roles.executionsPerBlock);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the load, behind `prefix` if there is one. */
async function load(marking: Marking, prefix: string[]): Promise<Load> {
  const node = [process.execPath, '--import', './scripts/register-ts.mjs', 'bench/counts/load.ts', marking];
  const [program = '', ...args] = [...prefix, ...node];
  try {
    // Its end, should it last too long, is SIGTERM, at which strace ends what it runs.
    const options = { cwd: ROOT, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    const { stdout } = await promisify(execFile)(program, args, options);
    return JSON.parse(stdout) as Load;
  } catch (cause) {
    throw new Error(`the executions to be counted failed: ${explain(cause as ExecFileException)}`, { cause });
  }
}

function explain({ code, message, stderr = '' }: ExecFileException): string {
  if (code === 'ENOENT') return 'strace is missing; install it';
  if (!/PTRACE|ptrace/.test(stderr)) return message;
  return `strace may not trace here; a container needs the capability SYS_PTRACE for it\n${stderr}`;
}

function kernelCosts({ marks, sandboxes, executionsPerBlock }: Load): Record<Process, KernelCounters> {
  const ofBlocks = (process: 'node' | 'launcher') => {
    const median = (counter: keyof KernelCounters) =>
      spread(
        marks.slice(1).map((mark, index) => mark[process][counter] - (marks[index]?.[process][counter] ?? 0)),
      ).median / executionsPerBlock;
    return { minorFaults: median('minorFaults'), voluntarySwitches: median('voluntarySwitches') };
  };
  return {
    node: ofBlocks('node'),
    launcher: ofBlocks('launcher'),
    sandbox: {
      minorFaults: spread(sandboxes.map(({ minorFaults }) => minorFaults)).median,
      voluntarySwitches: spread(sandboxes.map(({ voluntarySwitches }) => voluntarySwitches)).median,
    },
  };
}
