import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { SandboxUnavailable } from '../../src/executor/errors.js';
import { Executor } from '../../src/executor/executor.js';
import { descendants, eventually, parentOf, sandboxesOf } from '../support/processes.js';
import { CEILINGS, EXECUTE, EXECUTE_BUSY, run } from './sandboxes.js';

const BUSY = EXECUTE.replace('return 1;', 'for(;;){}');

function openExecutor(options: Partial<Parameters<typeof Executor.open>[0]> = {}): Promise<Executor> {
  return Executor.open({
    isolation: 'default',
    backend: 'auto',
    warm: { min: 1, max: 4 },
    ceilings: CEILINGS,
    ...options,
  });
}

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`executor, on ${backend}`, () => {
    const open = (options: Partial<Parameters<typeof Executor.open>[0]> = {}) =>
      openExecutor({ backend, ...options });
    let executor: Executor;
    before(async () => {
      executor = await open();
    });
    after(() => executor.close());

    it('carries bytes both ways and reports the end last', async () => {
      const sandbox = await executor.acquire();
      const { end, output, events } = await run(sandbox, () => sandbox.write(EXECUTE));
      assert.match(output, /"type":"execution.result".*"result":1/);
      assert.deepEqual(end.outcome, { kind: 'exited', code: 0 });
      assert.deepEqual(events.slice(-2), ['end', 'exit']);
    });

    it('gives a receipt of what the kernel said', async () => {
      const sandbox = await executor.acquire();
      const { end, output } = await run(sandbox, () => sandbox.write(EXECUTE));
      const { receipt } = end;
      assert.equal(receipt.schema, 'wardenpool.receipt/1');
      assert.equal(receipt.state, 'complete');
      assert.equal(receipt.executionId, 'e-1');
      assert.equal(receipt.backend.name, backend);
      assert.equal(receipt.backend.refused, undefined);
      assert.deepEqual(receipt.labels, { team: 'a' });
      assert.deepEqual(receipt.stop, {
        reason: null,
        gracefulStopAttempted: false,
        forcedStopAttempted: false,
        containmentConfirmed: true,
      });
      assert.equal(receipt.io.bytesIn, Buffer.byteLength(EXECUTE));
      assert.equal(receipt.io.bytesOut, Buffer.byteLength(output));
      assert.equal(receipt.policyDigest, '7bdfac8d09671969cc771cd038b342ac59d09f5fdafc55d447d7e1d2d71888ae');
      const { seccomp } = receipt.isolation;
      assert.ok(seccomp.mode === 'filter');
      for (const digest of [receipt.planDigest, receipt.executable.digest, seccomp.digest])
        assert.match(digest, /^[0-9a-f]{64}$/);
      assert.ok(receipt.usage.maxRssBytes > 0);
      assert.ok(receipt.usage.minorFaults > 0);
      assert.ok(receipt.usage.voluntaryContextSwitches > 0);
      assert.ok((receipt.versions.engine ?? '').length > 0);
    });

    it('hands out warm sandboxes, and makes new ones when there are none', async () => {
      await eventually(() => executor.stats.warm >= 1, 5_000);
      const first = await executor.acquire();
      const others = await Promise.all(Array.from({ length: 6 }, () => executor.acquire()));
      assert.equal(first.source, 'warm');
      assert.ok(others.some(({ source }) => source === 'cold'));
      await Promise.all([first, ...others].map((sandbox) => sandbox.kill('closed')));
    });

    it('ends a sandbox whose host has nothing more to say', async () => {
      const sandbox = await executor.acquire();
      const { end } = await run(sandbox, () => sandbox.endInput());
      assert.equal(end.outcome.kind, 'exited');
      assert.notEqual(end.outcome.code, 0);
    });

    it('stops a busy one by SIGTERM, without force', async () => {
      const sandbox = await executor.acquire();
      const { end, output } = await run(
        sandbox,
        () => sandbox.write(EXECUTE_BUSY),
        (said) => void (said.includes('BUSY') && sandbox.stop('cancelled')),
      );
      assert.match(output, /"kind":"cancelled"/);
      assert.equal(end.receipt.stop.reason, 'cancelled');
      assert.equal(end.receipt.stop.gracefulStopAttempted, true);
      assert.equal(end.receipt.stop.forcedStopAttempted, false);
    });

    it('kills one that does not end when asked', async () => {
      const sandbox = await executor.acquire();
      const { end } = await run(sandbox, () => {
        sandbox.write(BUSY);
        void sandbox.stop('cancelled', () => {});
      });
      assert.deepEqual(end.outcome, { kind: 'signaled', signal: 'SIGKILL' });
      assert.equal(end.receipt.stop.forcedStopAttempted, true);
      assert.equal(end.containmentConfirmed, true);
    });

    it('takes a hundred stops of one sandbox as one', async () => {
      const sandbox = await executor.acquire();
      const ended = run(sandbox, () => sandbox.write(BUSY));
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => (i % 2 ? sandbox.stop('cancelled') : sandbox.kill('closed'))),
      );
      const { end } = await ended;
      assert.equal(end.receipt.stop.reason, 'closed');
      await sandbox.stop('cancelled');
    });

    it('kills what is stopped by a job-control signal', async () => {
      const sandbox = await executor.acquire();
      const { end } = await run(sandbox, () => {
        sandbox.write(BUSY);
        process.kill(sandbox.pid, 'SIGSTOP');
        void sandbox.stop('cancelled');
      });
      assert.deepEqual(end.outcome, { kind: 'signaled', signal: 'SIGKILL' });
    });

    it('reports a sandbox whose launcher was killed as lost, and starts another launcher', async () => {
      const sandbox = await executor.acquire();
      const { launcherPid } = executor;
      const { end, events } = await run(sandbox, () => {
        sandbox.write(BUSY);
        process.kill(launcherPid, 'SIGKILL');
      });
      assert.deepEqual(end.outcome, { kind: 'lost' });
      assert.equal(end.receipt.state, 'unavailable');
      assert.deepEqual(events.slice(-2), ['end', 'exit']);
      const next = await executor.acquire();
      const { end: nextEnd } = await run(next, () => next.write(EXECUTE));
      assert.deepEqual(nextEnd.outcome, { kind: 'exited', code: 0 });
      assert.notEqual(executor.launcherPid, launcherPid);
      assert.equal(executor.stats.launcherRestarts, 1);
    });

    it('kills a launcher that was stopped, when a sandbox of it must end', async () => {
      const sandbox = await executor.acquire();
      const { launcherPid } = executor;
      const { end } = await run(sandbox, () => {
        sandbox.write(BUSY);
        process.kill(launcherPid, 'SIGSTOP');
        void sandbox.kill('cancelled');
      });
      assert.deepEqual(end.outcome, { kind: 'lost' });
      assert.equal(end.containmentConfirmed, true);
      assert.ok(
        await eventually(() => executor.launcherPid !== launcherPid && executor.launcherPid !== 0, 5_000),
      );
    });

    it('does not wait for ever for a clone from a launcher that is stopped', async () => {
      const other = await open({ warm: { min: 0, max: 0 } });
      try {
        process.kill(other.launcherPid, 'SIGSTOP');
        await assert.rejects(other.acquire(), { name: 'LauncherLost' });
        const next = await other.acquire();
        await next.kill('closed');
      } finally {
        await other.close();
      }
    });

    it('leaves no process when it is closed', async () => {
      const other = await open({ warm: { min: 3, max: 3 } });
      const { launcherPid } = other;
      assert.ok(await eventually(() => sandboxesOf(launcherPid).length === 3, 5_000));
      const all = [launcherPid, ...descendants(launcherPid)];
      await other.close();
      const left = new Set(descendants(process.pid));
      assert.deepEqual(
        all.filter((pid) => left.has(pid)),
        [],
      );
    });

    it('has nothing left of a launcher that was killed when it reports its sandboxes as lost', async () => {
      const other = await open({ warm: { min: 0, max: 0 } });
      try {
        const sandboxes = await Promise.all(Array.from({ length: 20 }, () => other.acquire()));
        const { launcherPid } = other;
        const all = [launcherPid, ...sandboxes.map(({ pid }) => pid)];
        const ends = sandboxes.map((sandbox) =>
          run(sandbox, () => {
            sandbox.write(BUSY);
            process.kill(sandbox.pid, 'SIGSTOP');
          }),
        );
        process.kill(launcherPid, 'SIGKILL');
        for (const { end } of await Promise.all(ends)) {
          assert.deepEqual(end.outcome, { kind: 'lost' });
          assert.equal(end.containmentConfirmed, true);
        }
        // Not even as somebody else's zombies.
        assert.deepEqual(
          all.filter((pid) => existsSync(`/proc/${pid}`)),
          [],
        );
      } finally {
        await other.close();
      }
    });
  });
}

describe('executor, on seccomp alone', () => {
  it('loses everything with the process that reaps for a launcher, and starts another', async () => {
    const executor = await openExecutor({ backend: 'seccomp', warm: { min: 0, max: 0 } });
    try {
      const sandbox = await executor.acquire();
      const { launcherPid } = executor;
      const { pid } = sandbox;
      const reaper = parentOf(launcherPid) ?? assert.fail();
      assert.equal(parentOf(reaper), process.pid);
      const { end } = await run(sandbox, () => {
        sandbox.write(BUSY);
        process.kill(reaper, 'SIGKILL');
      });
      assert.deepEqual(end.outcome, { kind: 'lost' });
      const isGone = (each: number) => sandboxesOf(process.pid).every((left) => left !== each);
      assert.ok(await eventually(() => isGone(pid), 5_000));
      const next = await executor.acquire();
      await next.kill('closed');
    } finally {
      await executor.close();
    }
  });
});

describe('executor: choice of a backend', () => {
  it('takes the first with auto', async () => {
    const executor = await openExecutor({ backend: 'auto' });
    assert.equal(executor.backend.name, 'namespaces');
    assert.deepEqual(executor.refused, []);
    await executor.close();
  });

  it('refuses strict isolation on seccomp, naming what is missing', async () => {
    await assert.rejects(openExecutor({ backend: 'seccomp', isolation: 'strict' }), (error) => {
      assert.ok(error instanceof SandboxUnavailable);
      assert.deepEqual(
        error.missing.map(({ backend, capability }) => [backend, capability]),
        [['seccomp', 'private-namespaces']],
      );
      return true;
    });
  });

  for (const backend of ['bubblewrap', 'seatbelt', 'posix'] as const) {
    it(`refuses ${backend}, which runs no pools`, async () => {
      await assert.rejects(openExecutor({ backend }), {
        name: 'SandboxUnavailable',
        message: /no pools|confines nothing/,
      });
    });
  }
});
