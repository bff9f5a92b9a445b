/** The rules of `ops`: Prometheus' own tool accepts and tries them, and they name nothing that there is not. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KnownMetrics, knownMetrics, labelValuesIn, metricsIn, recordingsIn } from './metric-names.js';
import { OPS, promtool } from './prometheus.js';

const read = (name: string) => readFileSync(join(OPS, 'rules', name), 'utf8').replace(/^\s*#.*$/gm, '');
const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

describe('ops: rules', () => {
  const recording = read('recording.yml');
  const alerts = read('alerts.yml');
  const tests = read('tests.yml');
  const alertNames = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  let known: KnownMetrics;
  before(async () => {
    known = await knownMetrics();
  });

  it('are right for promtool, with the configuration beside them', () => {
    promtool('check', 'config', 'prometheus.yml');
  });

  it('do what their tests say', () => {
    promtool('test', 'rules', 'rules/tests.yml');
  });

  it('name only metrics that there are', () => {
    for (const name of metricsIn(recording + alerts + tests)) assert.ok(known.series.has(name), name);
  });

  it('ask only for values that labels have', () => {
    for (const { label, value } of labelValuesIn(recording + alerts + tests)) {
      assert.ok(known.labelValues.get(label)?.has(value), `${label}="${value}"`);
    }
  });

  it('build on recording rules that there are', () => {
    const recorded = [...recording.matchAll(/- record: (\S+)/g)].map(([, name]) => name);
    for (const name of recordingsIn(alerts + tests)) assert.ok(recorded.includes(name), name);
  });

  it('have a test of each alert, and a section of the handbook that each one leads to', () => {
    assert.ok(alertNames.length > 10);
    for (const name of alertNames) {
      assert.match(tests, new RegExp(`alertname: ${name}\\n\\s+exp_alerts:`), name);
      assert.match(operations, new RegExp(`^### ${name}$`, 'm'));
      assert.ok(alerts.includes(`runbook: docs/operations.md#${name.toLowerCase()}\n`), name);
    }
  });
});
