// docs/operations.md has a table of the metrics. They are those that a pool has, of that type, with those labels and values.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { metricsOn } from '../../src/pool/metrics.js';

const document = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** Of one metric: its type, its labels, and the values of those that are counted from the start. */
type Description = Record<string, string[] | string>;

function documented(): Record<string, Description> {
  const rows = document.matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \|([^|]*)\|/gm);
  return Object.fromEntries(
    [...rows].map(([, name = '', type = '', labels = '']) => {
      const description: Description = { type };
      for (const [, label = '', values = ''] of labels.matchAll(/`(\w+)`: ([^;]*)/g)) {
        // A histogram has the series that there were, and no list.
        description[label] =
          type === 'histogram' ? 'any' : [...values.matchAll(/`(\w+)`/g)].map(([, v]) => v ?? '');
      }
      return [`wardenpool_${name}`, description];
    }),
  );
}

async function actual(): Promise<Record<string, Description>> {
  const registry = new Registry();
  metricsOn(registry);
  const described: Record<string, Description> = {};
  for (const { name, type, values } of await registry.getMetricsAsJSON()) {
    const description: Description = { type: String(type) };
    const metric = registry.getSingleMetric(name) as unknown as { labelNames: string[] };
    for (const label of metric.labelNames) {
      description[label] =
        description['type'] === 'histogram' ? 'any' : values.map(({ labels }) => String(labels[label]));
    }
    described[name] = description;
  }
  return described;
}

describe('docs/operations.md', () => {
  it('has every metric, with its type, its labels and their values', async () => {
    assert.deepEqual(documented(), await actual());
  });
});
