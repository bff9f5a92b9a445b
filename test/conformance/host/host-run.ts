/** One run of the host under test, with a scripted runner that plays one case. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from './host.js';

export interface HostRun {
  /** What the host has printed, and further output that may explain it. */
  stdout: string;
  diagnostics: string;
  /** All that the runner has heard from the host. */
  heard: Buffer;
  /** True if the runner was still there some time after the host had ended. */
  leftBehind: boolean;
}

interface Event {
  event: 'started' | 'heard' | 'ended';
  pid?: number;
  bytes?: string;
}

const SCRIPTED_RUNNER = fileURLToPath(new URL('./scripted-runner.mjs', import.meta.url));
/** How long a runner may outlive its host, milliseconds. */
const LINGER_MS = 5000;
const POLL_MS = 20;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function eventsIn(transcript: string): Event[] {
  if (!existsSync(transcript)) return [];
  const lines = readFileSync(transcript, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Event);
}

function isAlive(pid: number): boolean {
  try {
    // A process that is dead and just not reaped by whoever has to is as good as gone.
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** True if it had to be killed. */
async function outlives(pid: number): Promise<boolean> {
  for (let waited = 0; isAlive(pid); waited += POLL_MS) {
    if (waited >= LINGER_MS) {
      process.kill(pid, 'SIGKILL');
      return true;
    }
    await pause(POLL_MS);
  }
  return false;
}

/** Aborts once the runner has heard `execute`. */
async function stopLater(transcript: string, stop: AbortController, over: AbortSignal): Promise<void> {
  while (!over.aborted && !eventsIn(transcript).some(({ event }) => event === 'heard')) await pause(POLL_MS);
  stop.abort();
}

/** `kill` ends the host, whatever it does. */
export async function runHost(
  host: Host,
  title: string,
  { program, stopped }: { program: string; stopped: boolean },
  kill: AbortSignal,
): Promise<HostRun> {
  const directory = mkdtempSync(join(tmpdir(), 'code-bridge-host-'));
  const runner = join(directory, 'runner');
  const transcript = join(directory, 'transcript');
  const stop = new AbortController();
  const over = new AbortController();
  try {
    const words = [process.execPath, SCRIPTED_RUNNER, title, transcript].map(quoted).join(' ');
    writeFileSync(runner, `#!/bin/sh\nexec ${words}\n`);
    chmodSync(runner, 0o755);
    if (stopped) void stopLater(transcript, stop, over.signal);
    const said = await host(runner, program, { stop: stop.signal, kill });
    const events = eventsIn(transcript);
    const pid = events.find(({ event }) => event === 'started')?.pid;
    const leftBehind = pid !== undefined && (await outlives(pid));
    const heard = Buffer.concat(events.map(({ bytes = '' }) => Buffer.from(bytes, 'base64')));
    return { ...said, heard, leftBehind };
  } finally {
    over.abort();
    rmSync(directory, { recursive: true, force: true });
  }
}
