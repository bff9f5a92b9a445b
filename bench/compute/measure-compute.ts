/**
 * How fast a program computes: the kernels in our engine, in native QuickJS, and in the same WebAssembly module under V8.
 * Round by round, one engine after the other, so that a ratio holds even where the machine is shared.
 */
import { spread } from '../measure.js';
import type { MeasureRow } from '../results.js';
import type { Engine } from './engine.js';
import { KERNELS } from './kernels.js';
import { nativeQuickJsEngine } from './native-quickjs-engine.js';
import { v8Engine } from './v8-engine.js';
import { wardenpoolEngine } from './wardenpool-engine.js';

export async function measureCompute(rounds: number): Promise<MeasureRow[]> {
  const engines = [await wardenpoolEngine(), nativeQuickJsEngine(), await v8Engine()].filter(
    (engine) => engine !== undefined,
  );
  try {
    return await measureIn(engines, rounds);
  } finally {
    for (const engine of engines) await engine.close();
  }
}

async function measureIn(engines: Engine[], rounds: number): Promise<MeasureRow[]> {
  const rows = KERNELS.flatMap((kernel) =>
    engines.map((engine) => ({ kernel, engine, times: [] as number[] })),
  );
  // The first round warms up: V8 compiles the module again, optimised, while it runs.
  for (let round = -1; round < rounds; round++) {
    for (const { kernel, engine, times } of rows) {
      const ms = await engine.run(kernel);
      if (round >= 0) times.push(ms);
    }
  }
  return rows.map(({ kernel, engine, times }) => ({
    group: 'guest compute',
    name: kernel.name,
    subject: engine.name,
    unit: 'ms',
    value: spread(times),
  }));
}
