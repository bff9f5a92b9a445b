/**
 * What many sandboxes cost that only wait: memory of each, threads, and how much they slow down others. Warm ones wait for
 * a program; the others run one that waits for a tool.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool, type Pool } from 'wardenpool';
import { availableKb, descendantsPssKb, threadCount } from './machine-memory.js';
import { measure, spread } from './measure.js';
import type { MeasureRow } from './results.js';
import { checkAnswer, ONE_CALL, TOOLS } from './workloads.js';

const WARM = 200;
const WAITING = 1_000;
const SMOKE_SANDBOXES = 20;
const OTHERS_IN_FLIGHT = 16;
const OTHERS_COUNT = 300;

const GROUP = 'memory of a sandbox';

export async function measureSandboxMemory(rounds: number, smoke: boolean): Promise<MeasureRow[]> {
  return [...(await measureWarm(rounds, smoke)), ...(await measureWaiting(rounds, smoke))];
}

async function measureWarm(rounds: number, smoke: boolean): Promise<MeasureRow[]> {
  const count = smoke ? SMOKE_SANDBOXES : WARM;
  const pss: number[] = [];
  const available: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const without = await createPool({ threads: 1, warm: { min: 0, max: 0 } });
    const before = await settledMemory();
    await without.close();
    const pool = await createPool({ threads: 1, warm: { min: count, max: count } });
    while (pool.stats.warm < count) await sleep(20);
    const after = await settledMemory();
    await pool.close();
    pss.push((after.pssKb - before.pssKb) / count);
    available.push((before.availableKb - after.availableKb) / count);
  }
  return [row(`warm, PSS`, 'KB', pss), row(`warm, MemAvailable`, 'KB', available)];
}

async function measureWaiting(rounds: number, smoke: boolean): Promise<MeasureRow[]> {
  const count = smoke ? SMOKE_SANDBOXES : WAITING;
  const pss: number[] = [];
  const available: number[] = [];
  const threads: number[] = [];
  const slowdown: number[] = [];
  const concurrency = count + 1_000;
  const limits = { timeoutMs: 600_000, memoryBytes: 67_108_864 };
  const pool = await createPool({ concurrency, memoryBudgetBytes: concurrency * limits.memoryBytes, limits });
  for (let round = 0; round < rounds; round++) {
    const before = {
      ...(await settledMemory()),
      threads: threadCount(),
      rate: await rateOfOthers(pool, smoke),
    };
    const waiting = await startWaiting(pool, count);
    const after = {
      ...(await settledMemory()),
      threads: threadCount(),
      rate: await rateOfOthers(pool, smoke),
    };
    await waiting.finish();
    pss.push((after.pssKb - before.pssKb) / count);
    available.push((before.availableKb - after.availableKb) / count);
    threads.push(after.threads - before.threads);
    slowdown.push(before.rate / after.rate - 1);
  }
  await pool.close();
  return [
    row('waiting for a tool, PSS', 'KB', pss),
    row('waiting for a tool, MemAvailable', 'KB', available),
    row(`threads more with ${count} waiting`, 'count', threads),
    row(`slowdown of others by ${count} waiting`, 'ratio', slowdown),
  ];
}

/** So many runs that have called a tool which does not answer until `finish`. */
async function startWaiting(pool: Pool, count: number): Promise<{ finish(): Promise<void> }> {
  let called = 0;
  let answer: () => void = () => {};
  let allWait: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const waiting = new Promise<void>((resolve) => {
    allWait = resolve;
  });
  const wait = async () => {
    if (++called === count) allWait();
    await answered;
    return 1;
  };
  const runs = Array.from({ length: count }, () => pool.run('return await tools.wait({});', { wait }));
  await Promise.race([waiting, Promise.all(runs)]);
  return {
    async finish() {
      answer();
      for (const run of await Promise.all(runs))
        if (!run.ok) throw new Error(`a run that waited for a tool failed: ${run.error.message}`);
    },
  };
}

async function rateOfOthers(pool: Pool, smoke: boolean): Promise<number> {
  const { perSecond } = await measure(
    async () => {
      const run = await pool.run(ONE_CALL.program, TOOLS);
      checkAnswer('wardenpool', ONE_CALL, run.ok ? run.value : run.error);
    },
    OTHERS_IN_FLIGHT,
    smoke ? SMOKE_SANDBOXES : OTHERS_COUNT,
  );
  return perSecond;
}

/** After the sandboxes that have ended gave their memory back, and the warm set was refilled. */
async function settledMemory() {
  await sleep(500);
  return { ...descendantsPssKb(), availableKb: availableKb() };
}

function row(name: string, unit: MeasureRow['unit'], values: number[]): MeasureRow {
  return { group: GROUP, name, subject: 'wardenpool', unit, value: spread(values) };
}
