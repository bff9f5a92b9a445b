/**
 * `npm run bench:metrics`: what it costs the main thread to record one run with one tool call, without exemplars and with
 * them. The receipt is that of a run; nothing is run while it is measured. Prints Markdown.
 */
import { Command } from 'commander';
import { type OpenMetricsContentType, Registry } from 'prom-client';
import { createPool, type Receipt } from 'wardenpool';
import { Metrics } from '../src/pool/metrics.js';
import { quantile } from './measure.js';
import { NO_CALL } from './workloads.js';

/** Of one sample: long enough for the clock. */
const RUNS = 20_000;
const SAMPLES = 15;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

new Command('npm run bench:metrics').description('what recording one run costs, as Markdown').parse();

const pool = await createPool({ threads: 1 });
const { receipt } = await pool.run(NO_CALL.program);
await pool.close();

const openMetrics = new Registry<OpenMetricsContentType>();
openMetrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
const text = costOf(new Metrics(new Registry()), receipt);
const withExemplars = costOf(new Metrics(openMetrics as unknown as Registry), {
  ...receipt,
  traceId: TRACE_ID,
});
console.log(`Recording one run with one tool call, µs of the main thread, median (min-max) of ${SAMPLES} × ${RUNS}:

| text format | OpenMetrics, with exemplars |
|---|---|
| ${text} | ${withExemplars} |`);

function costOf(metrics: Metrics, given: Receipt): string {
  const samples = Array.from({ length: SAMPLES + 1 }, () => {
    const startedAt = performance.now();
    for (let run = 0; run < RUNS; run++) record(metrics, given);
    return ((performance.now() - startedAt) * 1000) / RUNS;
  });
  // The first one is the compiler's.
  const sorted = samples.slice(1).sort((a, b) => a - b);
  const [median, min, max] = [0.5, 0, 1].map((share) => quantile(sorted, share).toFixed(1));
  return `${median} (${min}-${max})`;
}

/** As the pool does it. */
function record(metrics: Metrics, given: Receipt): void {
  metrics.runStarted();
  metrics.runHasTurn(0.2);
  metrics.toolCallOver('ok', 1.3);
  metrics.sandboxOver({ receipt: given, source: 'warm' });
  metrics.runOver('ok', 4.2, given.traceId);
}
