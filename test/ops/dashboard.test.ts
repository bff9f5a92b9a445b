/** The dashboard of `ops`: it is one that Grafana can load, and shows every metric that a pool has, and no other. */
import assert from 'node:assert/strict';
import { dashboard, expressions } from './dashboard.js';
import { type KnownMetrics, knownMetrics, labelValuesIn, metricsIn } from './metric-names.js';

describe('ops: dashboard', () => {
  let known: KnownMetrics;
  before(async () => {
    known = await knownMetrics();
  });

  it('shows every metric of a pool', () => {
    const shown = new Set(expressions().flatMap(metricsIn));
    for (const name of known.ofPools) {
      assert.ok(
        [name, `${name}_bucket`].some((each) => shown.has(each)),
        name,
      );
    }
  });

  it('names only metrics and label values that there are', () => {
    for (const expression of expressions()) {
      for (const name of metricsIn(expression)) assert.ok(known.series.has(name), name);
      for (const { label, value } of labelValuesIn(expression)) {
        assert.ok(known.labelValues.get(label)?.has(value), `${label}="${value}"`);
      }
    }
  });

  it('takes its data source from a variable', () => {
    const [first] = dashboard.templating.list;
    assert.deepEqual([first?.name, first?.type], ['datasource', 'datasource']);
    for (const { title, datasource, targets = [] } of dashboard.panels) {
      for (const source of [
        ...(datasource === undefined ? [] : [datasource]),
        ...targets.map((t) => t.datasource),
      ]) {
        assert.deepEqual(source, { type: 'prometheus', uid: `\${datasource}` }, title);
      }
    }
  });

  it('has panels with numbers of their own, side by side and within its 24 columns', () => {
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels) {
      assert.ok(gridPos.x + gridPos.w <= 24, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(!taken.has(`${x} ${y}`), `${title} lies on another panel`);
          taken.add(`${x} ${y}`);
        }
      }
    }
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  });
});
