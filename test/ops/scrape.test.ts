/**
 * A real Prometheus scrapes a pool that does work whose numbers are known, and is asked what it has seen; with the
 * configuration, the rules and the dashboard of `ops`.
 */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createPool, type Pool, type ToolSet } from 'wardenpool';
import { gate } from '../pool/deferred.js';
import { launchersOf, sandboxesOf } from '../support/processes.js';
import { asSent, expressions } from './dashboard.js';
import { eventually } from './eventually.js';
import { Prometheus } from './prometheus.js';

describe('ops: a pool, scraped by Prometheus', function () {
  this.timeout(120_000);
  let pool: Pool;
  let prometheus: Prometheus;

  before(async () => {
    // None warm: the only sandboxes that there are, are those of runs.
    const warm = { min: 0, max: 0 };
    pool = await createPool({ threads: 1, concurrency: 1, maxQueue: 1, warm, processMetrics: true });
    const { port } = (await pool.metricsServer()).address() as AddressInfo;
    prometheus = await Prometheus.start([`127.0.0.1:${port}`]);
    // Once before the work: what has risen is seen by two looks.
    await eventually(() => prometheus.values('up', 'job'), { wardenpool: 1 });
    await work(pool);
  });
  after(async () => {
    await prometheus?.stop();
    await pool?.close();
  });

  it('has seen every run, call and stop, by how it ended', async () => {
    const counted = async () => ({
      executions: await prometheus.values('wardenpool_executions_total > 0', 'outcome'),
      toolCalls: await prometheus.values('wardenpool_tool_calls_total > 0', 'outcome'),
      forcedStops: await prometheus.values('wardenpool_forced_stops_total > 0', 'reason'),
      durations: await prometheus.values('wardenpool_execution_duration_seconds_count', 'outcome'),
      once: await prometheus.values(
        '{__name__=~"wardenpool_(executions_started|launcher_restarts|graceful_stops|violations|containment_failures)_total"}',
        '__name__',
      ),
    });
    await eventually(counted, {
      executions: { ok: 4, javascript: 2, timeout: 1, aborted: 2, queue_full: 1, lost: 1 },
      toolCalls: { ok: 2, failed: 1, denied: 1, abandoned: 3 },
      forcedStops: { deadline: 1 },
      durations: { ok: 4, javascript: 2, timeout: 1 },
      once: {
        wardenpool_executions_started_total: 11,
        wardenpool_launcher_restarts_total: 1,
        wardenpool_graceful_stops_total: 1,
        wardenpool_violations_total: 0,
        wardenpool_containment_failures_total: 0,
      },
    });
  });

  it('evaluates the recording rules', async () => {
    const rates = () => prometheus.values('instance_outcome:wardenpool_executions:rate5m > 0', 'outcome');
    const outcomes = async () => Object.keys(await rates()).sort();
    await eventually(outcomes, ['aborted', 'javascript', 'lost', 'ok', 'queue_full', 'timeout']);
  });

  it('fires an alert that is for at once, and holds back one that is for later', async () => {
    const states = async () => {
      const { alerts } = (await prometheus.get('alerts')) as {
        alerts: { labels: { alertname: string }; state: string }[];
      };
      return Object.fromEntries(alerts.map(({ labels, state }) => [labels.alertname, state]));
    };
    const some = async () => {
      const { WardenpoolLauncherRestarts, WardenpoolQueueFull } = await states();
      return { WardenpoolLauncherRestarts, WardenpoolQueueFull };
    };
    await eventually(some, { WardenpoolLauncherRestarts: 'firing', WardenpoolQueueFull: 'pending' });
    assert.equal((await states())['WardenpoolContainmentFailure'], undefined);
  });

  it('answers every query of the dashboard', async () => {
    const unanswered = async () => {
      const empty: string[] = [];
      for (const expression of expressions()) {
        if ((await prometheus.query(asSent(expression))).length === 0) empty.push(expression);
      }
      return empty;
    };
    await eventually(unanswered, []);
  });
});

/** Four that are right, two that throw, one killed at its deadline, two aborted, one turned away and one lost. */
async function work(pool: Pool): Promise<void> {
  const tools: ToolSet = {
    ok: () => 1,
    fails: () => Promise.reject(new Error('only for the host')),
  };
  for (let run = 0; run < 2; run++) assert.ok((await pool.run('return tools.ok()', tools)).ok);
  assert.ok((await pool.run('return 1')).ok);
  assert.ok(!(await pool.run('await tools.fails()', tools)).ok);
  const authorize = () => ({ deny: 'never' });
  assert.ok(!(await pool.run('await tools.ok()', tools, { authorize })).ok);

  // A sandbox that is stopped misses its deadline, and is killed. There is time to find it among all processes of a busy machine.
  const stopped = gate();
  const late = pool.run('await tools.t()', { t: stopped.tool }, { limits: { timeoutMs: 2_000 } });
  await stopped.entered;
  for (const pid of sandboxesOf(process.pid)) process.kill(pid, 'SIGSTOP');
  const result = await late;
  assert.equal(result.ok ? 'ok' : result.error.kind, 'timeout');

  // One that runs, one that waits, one for which there is no room any more.
  const { tool, entered } = gate();
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = [1, 2].map(() => assert.rejects(pool.run('await tools.t()', { t: tool }, { signal })));
  await entered;
  await assert.rejects(pool.run('return 1'), { code: 'QUEUE_FULL' });
  controller.abort();
  await Promise.all(aborted);
  await pool.drain();

  const lost = gate();
  const rejected = assert.rejects(pool.run('await tools.t()', { t: lost.tool }), { code: 'WORKER_LOST' });
  await lost.entered;
  for (const pid of launchersOf(process.pid)) process.kill(pid, 'SIGKILL');
  await rejected;
  assert.ok((await pool.run('return 1')).ok);
}
