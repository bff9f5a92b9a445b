/** Asks a runner which features it grants. */
import type { Subject } from './conversation.js';
import { FEATURES } from './features.js';
import { Bench } from './suite.js';

/** Nothing, if the runner does not even run: its cases say why. */
export async function grantedFeatures(subject: Subject): Promise<ReadonlySet<string>> {
  const bench = new Bench(subject);
  try {
    const { frames } = await bench.run('return 1', { features: FEATURES });
    return new Set(frames[0]?.features);
  } catch {
    return new Set();
  } finally {
    bench.dispose();
  }
}
