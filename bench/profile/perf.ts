/**
 * Samples of the whole machine, taken by perf: what each CPU was doing, some thousand times a second. By the clock and not by
 * hardware counters, which virtual machines lack. Must not know what the processes are.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Frame {
  symbol: string;
  /** The file that the code is from, or "[kernel.kallsyms]". */
  binary: string;
}

export interface PerfSample {
  process: number;
  thread: number;
  /** The innermost first. */
  frames: Frame[];
}

export interface PerfRecording {
  samples: PerfSample[];
  /** The parent of each process, by its number. */
  parents: Map<number, number>;
}

const SAMPLES_PER_SECOND = 3_000;
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 1_000_000_000;

/** "node 16309/16480", and then a line for each frame. */
const SAMPLE = /^.* (\d+)\/(\d+)\s*$/;
const FRAME = /^\s+[0-9a-f]+ (.*) \((.*)\)$/;
const FORK = /PERF_RECORD_FORK\((\d+):\d+\):\((\d+):\d+\)/;

/** @throws if perf is not there, or may not watch the whole machine. */
export async function checkPerf(): Promise<void> {
  await perf(['record', '-a', '-e', 'cpu-clock', '-o', '/dev/null', '--', 'true']);
}

/** Samples for so long. Leaves nothing behind. */
export async function recordPerf(ms: number): Promise<PerfRecording> {
  const folder = mkdtempSync(join(tmpdir(), 'wardenpool-profile-'));
  const file = join(folder, 'perf.data');
  try {
    // Without its cache of binaries, which it would leave in the home directory.
    const options = ['-F', String(SAMPLES_PER_SECOND), '--no-buildid', '--no-buildid-cache', '-o', file];
    await perf(['record', '-a', '-g', '-e', 'cpu-clock', ...options, '--', 'sleep', String(ms / 1_000)]);
    const fields = 'comm,pid,tid,ip,sym,dso';
    return readPerfScript(
      await perf(['script', '-i', file, '--no-inline', '--show-task-events', '-F', fields]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads what `perf script` prints. */
export function readPerfScript(text: string): PerfRecording {
  const samples: PerfSample[] = [];
  const parents = new Map<number, number>();
  let sample: PerfSample | undefined;
  for (const line of text.split('\n')) {
    const [, child, parent] = FORK.exec(line) ?? [];
    const [, symbol, binary] = FRAME.exec(line) ?? [];
    const [, process, thread] = SAMPLE.exec(line) ?? [];
    if (parent !== undefined) {
      if (child !== parent) parents.set(Number(child), Number(parent)); // else it is a thread
    } else if (symbol !== undefined && binary !== undefined) {
      sample?.frames.push({ symbol, binary });
    } else if (thread !== undefined) {
      sample = { process: Number(process), thread: Number(thread), frames: [] };
      samples.push(sample);
    }
  }
  return { samples, parents };
}

async function perf(args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('perf', args, {
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (cause) {
    const { code, stderr } = cause as { code?: unknown; stderr?: string };
    const advice =
      code === 'ENOENT'
        ? 'perf is missing: install linux-perf (Debian), linux-tools-generic (Ubuntu) or perf (Fedora)'
        : 'to watch the whole machine, perf needs root or a kernel.perf_event_paranoid of -1';
    throw new Error(`perf ${args[0]} failed; ${advice}\n${stderr ?? ''}`, { cause });
  }
}
