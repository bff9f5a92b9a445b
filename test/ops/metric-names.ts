/** What expressions of Prometheus name, held against what a pool has. */
import { Registry } from 'prom-client';
import { addProcessMetrics, metricsOn } from '../../src/pool/metrics.js';

/** Labels whose values do not come from closed lists, or not from pools. */
const SOURCES = ['warm', 'cold'];

export interface KnownMetrics {
  /** Of pools alone. */
  ofPools: string[];
  /** Of pools and of their processes, as Prometheus stores them: a histogram has three names. */
  series: Set<string>;
  /** By label. */
  labelValues: Map<string, Set<string>>;
}

export async function knownMetrics(): Promise<KnownMetrics> {
  const registry = new Registry();
  metricsOn(registry);
  const ofPools = registry.getMetricsAsArray().map(({ name }) => name);
  addProcessMetrics(registry);
  const series = new Set<string>();
  const labelValues = new Map([['source', new Set(SOURCES)]]);
  for (const { name, type, values } of await registry.getMetricsAsJSON()) {
    // prom-client has strings here, and its types an enumeration.
    const isHistogram = String(type) === 'histogram';
    for (const suffix of isHistogram ? ['_bucket', '_count', '_sum'] : ['']) series.add(name + suffix);
    if (!name.startsWith('wardenpool_')) continue;
    for (const { labels } of values) {
      for (const [label, value] of Object.entries(labels)) {
        labelValues.set(label, (labelValues.get(label) ?? new Set()).add(String(value)));
      }
    }
  }
  return { ofPools, series, labelValues };
}

/** The names of metrics in an expression, without those of recording rules, which have colons. */
export function metricsIn(expression: string): string[] {
  return expression.match(/(?<![:\w#])(?:wardenpool|process|nodejs)_\w+/g) ?? [];
}

/** The names of recording rules. */
export function recordingsIn(expression: string): string[] {
  return expression.match(/\b[a-z_]+:\w+:\w+/g) ?? [];
}

/** What an expression asks of `outcome`, `reason`, `direction` and `source`: each value with its label. */
export function labelValuesIn(expression: string): { label: string; value: string }[] {
  const matchers = expression.matchAll(/\b(outcome|reason|direction|source)\s*[=!]~?\s*"([^"]*)"/g);
  return [...matchers].flatMap(([, label = '', values = '']) =>
    values.split('|').map((value) => ({ label, value })),
  );
}
