/**
 * `wardenpool doctor`: what this machine can do, why not, and what would change it. It tries for real, and changes nothing.
 */
import { capacityOf } from '../executor/capacity.js';
import { machineFacts } from '../executor/machine.js';
import { probeBackends } from '../executor/probe.js';
import { readPoolOptions } from '../pool/pool-options.js';
import { describeReport } from './doctor-text.js';

export interface DoctorOptions {
  json: boolean;
  /** Runs at once of the pool that is meant. Default: that of a pool. */
  concurrency?: number;
}

/** Prints the report to stdout. Returns the exit code: 1 if no backend can run Code Mode. */
export async function doctor({ json, concurrency: asked }: DoctorOptions): Promise<number> {
  const { threads, concurrency, warm, limits } = readPoolOptions({ concurrency: asked });
  const pool = { threads, concurrency, warmMax: warm.max, memoryBytes: limits.memoryBytes };
  const machine = await machineFacts();
  const backends = await probeBackends();
  const backend = backends.find(({ codeMode }) => codeMode.available)?.backend ?? null;
  const report = { machine, backends, backend, pool, capacity: capacityOf(pool, machine) };
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report));
  return backend === null ? 1 : 0;
}
