/**
 * The executions that are profiled, in a process of their own: one tool call each, 16 in flight, the pool as it is by default.
 * Says `ready` to its parent when it has warmed up; runs for the milliseconds that it is told then; answers with a `Profiled`.
 */
import { createPool } from 'wardenpool';
import { checkAnswer, ONE_CALL, TOOLS } from '../workloads.js';
import { type CpuTime, readCpuTime, type Threads, threadsOfHost } from './cpu-time.js';

export interface Profiled extends Threads {
  runs: number;
  /** Of this process, by the kernel's monotonic clock, microseconds: when the executions ran. */
  from: number;
  to: number;
  /** CPU time of one execution, microseconds. */
  perRun: CpuTime & { sandbox: number };
}

const IN_FLIGHT = 16;
const WARM_UP_MS = 1_000;

const pool = await createPool();

/** How many executions there were, and the CPU time of their sandboxes, microseconds. */
async function runFor(ms: number): Promise<{ runs: number; sandboxMicroseconds: number }> {
  const until = performance.now() + ms;
  let runs = 0;
  let sandboxMicroseconds = 0;
  const lane = async () => {
    while (performance.now() < until) {
      const result = await pool.run(ONE_CALL.program, TOOLS);
      checkAnswer('wardenpool', ONE_CALL, result.ok ? result.value : result.error);
      const { cpuUserMs, cpuSystemMs } = result.receipt.usage;
      sandboxMicroseconds += (cpuUserMs + cpuSystemMs) * 1_000;
      runs++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return { runs, sandboxMicroseconds };
}

async function profiled(ms: number): Promise<Profiled> {
  const threads = threadsOfHost(process.pid);
  const before = readCpuTime(threads);
  const from = now();
  const { runs, sandboxMicroseconds } = await runFor(ms);
  const to = now();
  const after = readCpuTime(threads);
  const perRun = {
    main: (after.main - before.main) / runs,
    workers: (after.workers - before.workers) / runs,
    others: (after.others - before.others) / runs,
    launchers: (after.launchers - before.launchers) / runs,
    sandbox: sandboxMicroseconds / runs,
  };
  return { ...threads, runs, from, to, perRun };
}

function now(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

process.once('message', async (ms: number) => {
  process.send?.(await profiled(ms));
  await pool.close();
  process.disconnect();
});
await runFor(WARM_UP_MS);
process.send?.('ready');
