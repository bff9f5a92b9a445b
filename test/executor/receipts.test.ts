/** Receipts are true, whatever the outcome: each kind is brought about, and what the receipt says is compared with what was done. */
import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CODE_MODE_BACKENDS } from '../../src/executor/code-mode.js';
import { SpawnFailed } from '../../src/executor/errors.js';
import { Executor } from '../../src/executor/executor.js';
import { Launcher } from '../../src/executor/launcher.js';
import { receiptBase } from '../../src/executor/plan.js';
import { Sandbox, type SandboxEnd } from '../../src/executor/sandbox.js';
import { NO_TRAFFIC, NO_USAGE, sandboxReceipt } from '../../src/executor/sandbox-receipt.js';
import { DEFAULT_STOP_TIMES } from '../../src/executor/stop-ladder.js';
import { eventually } from '../support/processes.js';
import { assertReceipt } from '../support/receipts.js';
import { limitResource } from '../support/resource-limit.js';
import { CEILINGS, CONTEXT, EXECUTE, run } from './sandboxes.js';

const PROBE = fileURLToPath(new URL('../../build/Release/probe-launcher', import.meta.url));

function assertNothingUsed({ receipt }: Pick<SandboxEnd, 'receipt'>): void {
  assert.deepEqual(receipt.usage, NO_USAGE);
  assert.equal(receipt.io.bytesIn + receipt.io.bytesOut + receipt.io.stderrBytes, 0);
}

describe('executor: the receipt of a sandbox', () => {
  let executor: Executor;
  beforeEach(async () => {
    executor = await Executor.open({
      isolation: 'default',
      backend: 'auto',
      warm: { min: 0, max: 0 },
      ceilings: CEILINGS,
    });
  });
  afterEach(() => executor.close());

  it('that exited has its status, its times and what it used', async () => {
    const before = Date.now();
    const sandbox = await executor.acquire();
    const { receipt } = (await run(sandbox, () => sandbox.write(EXECUTE))).end;
    assert.deepEqual(receipt.outcome, { kind: 'exited', code: 0 });
    assert.equal(receipt.state, 'complete');
    assert.ok(Math.abs(Date.parse(receipt.timings.requestedAt) - before) < 60_000);
    assert.ok(receipt.timings.spawnMs > 0);
    assert.ok(receipt.timings.runMs > 0);
    assert.equal(receipt.timings.stopMs, 0);
    assert.deepEqual(receipt.limitedBy, CONTEXT.limitedBy);
    assert.equal(receipt.isolation.procfs, 'none');
  });

  it('that exited by itself with another status has that', async () => {
    const sandbox = await executor.acquire();
    const { receipt } = (await run(sandbox, () => sandbox.endInput())).end;
    assert.equal(receipt.outcome.kind, 'exited');
    assert.notEqual(receipt.outcome.code, 0);
    assert.equal(receipt.state, 'complete');
  });

  it('that was killed by somebody else has the signal, and no stop', async () => {
    const sandbox = await executor.acquire();
    const { receipt } = (await run(sandbox, () => process.kill(sandbox.pid, 'SIGKILL'))).end;
    assert.deepEqual(receipt.outcome, { kind: 'signaled', signal: 'SIGKILL' });
    assert.equal(receipt.state, 'complete');
    assert.deepEqual(receipt.stop, {
      reason: null,
      gracefulStopAttempted: false,
      forcedStopAttempted: false,
      containmentConfirmed: true,
    });
  });

  it('that was stopped by force has the reason, and how long it took', async () => {
    const sandbox = await executor.acquire();
    const { receipt } = (await run(sandbox, () => void sandbox.kill('deadline'))).end;
    assert.deepEqual(receipt.outcome, { kind: 'signaled', signal: 'SIGKILL' });
    assert.equal(receipt.stop.reason, 'deadline');
    assert.equal(receipt.stop.forcedStopAttempted, true);
    assert.equal(receipt.stop.gracefulStopAttempted, false);
    assert.ok(receipt.timings.stopMs > 0 && receipt.timings.stopMs <= receipt.timings.runMs + 1);
  });

  it('whose launcher was killed is unavailable: lost, and nothing is said of its use', async () => {
    const sandbox = await executor.acquire();
    const { end } = await run(sandbox, () => process.kill(executor.launcherPid, 'SIGKILL'));
    assert.deepEqual(end.receipt.outcome, { kind: 'lost' });
    assert.equal(end.receipt.state, 'unavailable');
    assert.match(end.receipt.reason ?? '', /the launcher ended before/);
    // It was PID 1 of all of them: the kernel has killed what was in its namespace before it reports its end.
    assert.equal(end.receipt.stop.containmentConfirmed, true);
    assert.deepEqual(end.receipt.usage, NO_USAGE);
  });

  it('that ended before it was given its work is unavailable, and says so', async () => {
    const sandbox = await executor.acquire();
    await sandbox.kill('closed');
    const { end } = await run(sandbox);
    assert.deepEqual(end.receipt.outcome, { kind: 'lost' });
    assert.match(end.receipt.reason ?? '', /before it was given its work/);
    assertNothingUsed(end);
  });

  for (const [when, isAwaited] of [
    ['', false],
    ['before it was given its work ', true],
  ] as const) {
    it(`that could not take a step of its confinement ${when}has the step and its error`, async () => {
      // A sandbox sets a CPU limit of its own, which nobody may raise above that of its launcher.
      limitResource(executor.launcherPid, '--cpu=3:3');
      const sandbox = await executor.acquire();
      if (isAwaited) assert.ok(await eventually(() => !sandbox.isReady, 10_000), 'it has ended');
      const { end, output } = await run(sandbox, () => sandbox.write(EXECUTE));
      const { outcome, state, reason } = end.receipt;
      assert.equal(outcome.kind, 'spawn-failed');
      assert.ok((outcome.step ?? 0) > 0);
      assert.equal(outcome.errno, constants.errno.EPERM);
      assert.equal(state, 'unavailable');
      assert.equal(reason, `confinement stopped at step ${outcome.step}; nothing was run`);
      assert.equal(output, '');
    });
  }

  it('that could not be cloned has the step and its error, and used nothing', async () => {
    limitResource(executor.launcherPid, '--nproc=0:0');
    const error = await executor.acquire().then(
      () => assert.fail('there is a sandbox'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof SpawnFailed, String(error));
    const receipt = executor.receiptOf(error, CONTEXT);
    assertReceipt(receipt);
    assert.deepEqual(receipt.outcome, {
      kind: 'spawn-failed',
      step: error.step,
      errno: constants.errno.EAGAIN,
    });
    assert.ok(error.step > 0);
    assert.equal(receipt.state, 'unavailable');
    assert.equal(receipt.executionId, CONTEXT.executionId);
    assertNothingUsed({ receipt });
  });
});

const [NAMESPACES = assert.fail()] = CODE_MODE_BACKENDS;

describe('executor: the receipt of a sandbox that was taken over', () => {
  it('says violation when it was killed for a system call', async () => {
    const launcher = await Launcher.start({
      executable: PROBE,
      namespaces: 'shared',
      ceilings: { ...CEILINGS },
      diagnosticsLimit: 0,
      onExit() {},
    });
    launcher.hold();
    try {
      const base = await receiptBase(NAMESPACES, [], 'default', CEILINGS, launcher.facts);
      const sandbox = new Sandbox(launcher, base, DEFAULT_STOP_TIMES, () => {});
      await sandbox.whenSpawned();
      // The probe makes the call whose number it is sent: getpid.
      const { end } = await run(sandbox, () => sandbox.write('call 39\n'));
      assert.deepEqual(end.receipt.outcome, { kind: 'violation', signal: 'SIGSYS' });
      assert.equal(end.receipt.state, 'complete');
      assert.equal(end.receipt.stop.containmentConfirmed, true);
    } finally {
      launcher.release();
      await launcher.close();
    }
  });
});

describe('executor: the receipt of a sandbox whose end was not confirmed', () => {
  it('is unavailable, whatever else is known', async () => {
    const launcher = await Launcher.start({
      namespaces: 'shared',
      ceilings: CEILINGS,
      diagnosticsLimit: 0,
      onExit() {},
    });
    const base = await receiptBase(NAMESPACES, [], 'default', CEILINGS, launcher.facts);
    await launcher.close();
    const stop = { reason: 'deadline', gracefulStopAttempted: false, forcedStopAttempted: true } as const;
    const receipt = sandboxReceipt(
      base,
      CONTEXT,
      { outcome: { kind: 'lost' }, usage: NO_USAGE, traffic: NO_TRAFFIC, contained: false },
      { requestedAt: performance.now(), spawnMs: 0, runMs: 2_000, stopMs: 2_000, stop },
    );
    assertReceipt(receipt);
    assert.equal(receipt.state, 'unavailable');
    assert.match(receipt.reason ?? '', /did not confirm/);
    assert.deepEqual(receipt.stop, { ...stop, containmentConfirmed: false });
    assert.ok(await eventually(() => launcher.pid === 0, 5_000));
  });
});
