import assert from 'node:assert/strict';
import { DEFAULT_LIMITS } from '../../src/pool/limits.js';
import type { RunTask, WorkerSetup } from '../../src/pool/messages.js';
import { WorkerGroup } from '../../src/pool/worker-group.js';
import type { WorkerThreadListener } from '../../src/pool/worker-thread.js';
import { deferred } from './deferred.js';

const SETUP: WorkerSetup = {
  isolation: 'default',
  backend: 'auto',
  refused: [],
  warm: { min: 0, max: 1 },
  limits: DEFAULT_LIMITS,
};

const SILENT: WorkerThreadListener = { onCall() {}, onLogs() {}, onState() {}, onWorkerLost() {} };

function task(run: number, code: string): RunTask {
  return {
    run,
    executionId: `e${run}`,
    code,
    language: 'auto',
    normalize: true,
    toolNames: ['t'],
    limits: DEFAULT_LIMITS,
    labels: {},
    streamLogs: false,
  };
}

describe('pool: worker group', () => {
  let group: WorkerGroup;
  afterEach(() => group.close());

  it('replaces a worker that dies, and rejects the runs that it had', async () => {
    const called = deferred();
    const lost = deferred<number>();
    group = await WorkerGroup.open(
      { threads: 1, concurrency: 4, setup: SETUP },
      { ...SILENT, onCall: () => called.resolve(), onWorkerLost: ({ threadId }) => lost.resolve(threadId) },
    );
    const first = await group.waitForFreest();
    const rejection = assert.rejects(first.run(task(group.nextRun(), 'await tools.t()')));
    await called.promise;
    // No message that a worker knows: its handler throws, and nothing catches that.
    first.post(null as never);
    await rejection;
    assert.equal(await lost.promise, first.threadId);

    const second = await group.waitForFreest();
    assert.notEqual(second.threadId, first.threadId);
    const report = await second.run(task(group.nextRun(), 'return 1'));
    assert.deepEqual(report.outcome, { kind: 'value', valueText: '1' });
  });

  it('cancels a run whose cancellation comes before its task', async () => {
    group = await WorkerGroup.open({ threads: 1, concurrency: 4, setup: SETUP }, SILENT);
    const link = await group.waitForFreest();
    const run = group.nextRun();
    link.post({ type: 'cancel', run, reason: 'cancelled' });
    const { outcome, sandbox } = await link.run(task(run, 'for(;;);'));
    assert.ok(outcome.kind === 'error');
    assert.equal(outcome.error.kind, 'cancelled');
    assert.equal(sandbox?.receipt.stop.reason, 'cancelled');
  });

  it('takes no notice of a cancellation that comes after the end', async () => {
    group = await WorkerGroup.open({ threads: 1, concurrency: 4, setup: SETUP }, SILENT);
    const link = await group.waitForFreest();
    const run = group.nextRun();
    await link.run(task(run, '1'));
    link.post({ type: 'cancel', run, reason: 'cancelled' });
    const { outcome } = await link.run(task(group.nextRun(), 'return 2'));
    assert.deepEqual(outcome, { kind: 'value', valueText: '2' });
  });

  it('rejects what is in flight when it is closed, or reports it as stopped', async () => {
    const called = deferred();
    group = await WorkerGroup.open(
      { threads: 1, concurrency: 4, setup: SETUP },
      { ...SILENT, onCall: () => called.resolve() },
    );
    const link = await group.waitForFreest();
    const handed = link.run(task(group.nextRun(), 'await tools.t()')).then(
      ({ outcome }) => outcome.kind,
      () => 'rejected',
    );
    await called.promise;
    await group.close();
    assert.notEqual(await handed, 'value');
    await assert.rejects(group.waitForFreest());
  });
});
