/**
 * The floor: bench/floor, a host and zygote in C that takes every step of confinement with the same engine and the same
 * frames, without Node. What it needs is the least that a sandbox can cost on this machine. It takes its own time; nothing
 * of Node's runs meanwhile.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sample, Subject } from '../subject.js';
import { TOOLS, type Workload } from '../workloads.js';

const BINARY = fileURLToPath(new URL('../../build/Release/floor', import.meta.url));

/** Of one measurement. The floor itself gives up long before, if nothing happens any more. */
const TIMEOUT_MS = 10 * 60_000;

export interface FloorOptions {
  /** One of every namespace for each sandbox. */
  strict?: boolean;
  /** A sandbox is cloned before it is needed: latencies begin when the program is sent. */
  warm?: boolean;
}

export interface FloorSample extends Sample {
  /** Of one sandbox, as the kernel counted when it was reaped. */
  minorFaults: number;
  contextSwitches: number;
}

export async function floorSubject(options: FloorOptions = {}): Promise<Subject> {
  if (!existsSync(BINARY)) throw new Error(`${BINARY} is missing: run "npm run build"`);
  const { strict = false, warm = false } = options;
  return {
    name: `floor${strict ? ', strict' : ''}${warm ? ', warm' : ''}`,
    measure: (workload, inFlight, count) => measureFloor(workload, inFlight, count, options),
    close: async () => {},
  };
}

/** @throws if the floor cannot confine a sandbox here, or one execution did not end as it should. */
export function measureFloor(
  { name, program, answer }: Workload,
  inFlight: number,
  count: number,
  { strict = false, warm = false }: FloorOptions = {},
): Promise<FloorSample> {
  const settings = ['--in-flight', String(inFlight), '--count', String(count), '--program', program];
  const tools = Object.keys(TOOLS).flatMap((tool) => ['--tool', tool]);
  const modes = [...(strict ? ['--strict'] : []), ...(warm ? ['--warm'] : [])];
  return new Promise((resolve, reject) => {
    const child = execFile(
      BINARY,
      [...settings, ...tools, ...modes],
      { env: {}, timeout: TIMEOUT_MS },
      (error, output, complaint) => {
        if (error === null) resolve(JSON.parse(output) as FloorSample);
        else reject(new Error(`the floor could not run "${name}": ${complaint.trim() || error.message}`));
      },
    );
    // If it has ended without reading, its exit says why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(answer));
  });
}
