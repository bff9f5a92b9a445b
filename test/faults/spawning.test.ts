/** Faults between a pool’s launcher and its sandboxes: clones that are refused, and deaths in the middle of something. */
import assert from 'node:assert/strict';
import type { Pool } from 'wardenpool';
import { leavingNothing } from './aftermath.js';
import { makePlace, type Place } from './place.js';
import { type FaultyPackage, faultyPackage, type Order } from './seam.js';

interface PoolProblem {
  code: string;
  message: string;
  retryable: boolean;
}

for (const backend of ['namespaces', 'seccomp'] as const)
  describe(`faults: between launcher and sandboxes, on ${backend}`, () => {
    let place: Place;
    let faulty: FaultyPackage;
    let pool: Pool;
    before(async () => {
      place = makePlace();
      faulty = await faultyPackage('launcher');
      // None warm: what happens, happens to the run.
      pool = await faulty.wardenpool.createPool({ backend, threads: 1, warm: { min: 0, max: 0 } });
      assert.equal(await answer(), 42);
    });
    after(async () => {
      await pool.close();
      faulty.remove();
      place.remove();
    });

    async function answer(code = 'return 42'): Promise<unknown> {
      const run = await pool.run(code);
      return run.ok ? run.value : `${run.error.kind}: ${run.error.message}`;
    }

    /** What `act` comes to under the order; a later run finds everything as ever. */
    async function under<T>(order: Order, act: () => Promise<T>): Promise<T> {
      const result = await leavingNothing(place.directory, async () => {
        faulty.faults.order(order);
        try {
          return await act();
        } finally {
          assert.equal(faulty.faults.carriedOut, order.times ?? 1, 'the fault did not happen');
          faulty.faults.clear();
        }
      });
      assert.equal(await answer(), 42);
      return result;
    }

    const rejection = () =>
      answer().then(
        (value) => assert.fail(`it ran: ${value}`),
        (error: PoolProblem) => error,
      );

    for (const fault of ['EAGAIN', 'ENOMEM'] as const)
      for (const nth of [1, 3])
        it(`clone fails with ${fault} at the ${nth === 1 ? 'first' : 'third'} of three: that run alone is refused, and may be tried again`, async () => {
          const ends = await under({ call: 'clone', depth: 1, fault, skip: nth - 1 }, async () => {
            const ends: (string | unknown)[] = [];
            for (let i = 0; i < 3; i++) ends.push(await answer().catch((error: PoolProblem) => error));
            return ends;
          });
          const error = ends[nth - 1] as PoolProblem;
          assert.equal(error.code, 'SANDBOX_UNAVAILABLE');
          assert.equal(error.retryable, true);
          assert.match(error.message, new RegExp(`could not clone the sandbox.*${fault}`));
          assert.deepEqual(
            ends.filter((_, index) => index !== nth - 1),
            [42, 42],
          );
        });

    for (const [what, call] of [
      ['in the middle of a clone', 'clone'],
      ['between a clone and the word of it', 'sendmsg'],
      ['when it has received a request', 'recvmsg'],
    ] as const)
      it(`the zygote dies ${what}: the run is lost, and may be tried again; another launcher takes the next`, async () => {
        const error = await under({ call, depth: 1, fault: 'dies' }, rejection);
        assert.equal(error.code, 'WORKER_LOST', error.message);
        assert.equal(error.retryable, true);
      });

    it('the zygote dies when it waits for an end: the run is lost; another launcher takes the next', async () => {
      const error = await leavingNothing(place.directory, async () => {
        // Only while the sandbox is there: the zygote may still wait for the one before.
        const order = () => faulty.faults.order({ call: 'wait4', depth: 1, fault: 'dies' });
        const run = pool.run('await tools.order()', { order });
        const rejected = await run.then(
          ({ ok }) => assert.fail(`it ran: ${ok}`),
          (problem: PoolProblem) => problem,
        );
        assert.equal(faulty.faults.carriedOut, 1, 'the fault did not happen');
        faulty.faults.clear();
        return rejected;
      });
      assert.equal(error.code, 'WORKER_LOST', error.message);
      assert.equal(error.retryable, false, 'a handler had started');
      assert.equal(await answer(), 42);
    });

    it('the zygote touches memory that is not there: the run is lost to SIGSEGV, and may be tried again; another launcher takes the next', async () => {
      const error = await under({ call: 'clone', depth: 1, fault: 'segfaults' }, rejection);
      assert.equal(error.code, 'WORKER_LOST', error.message);
      assert.equal(error.retryable, true);
      assert.match(error.message, /the launcher was killed by SIGSEGV/);
    });

    for (const fault of ['EAGAIN', 'EINTR', 'ENOBUFS'] as const)
      it(`the control socket takes no message for a while (${fault}): it is kept, and sent later`, async () => {
        assert.equal(await under({ call: 'sendmsg', depth: 1, fault, times: 3 }, () => answer()), 42);
      });

    for (const fault of ['EAGAIN', 'EINTR'] as const)
      it(`the control socket gives no request for a while (${fault}): it is asked again`, async () => {
        assert.equal(await under({ call: 'recvmsg', depth: 1, fault, times: 2 }, () => answer()), 42);
      });

    it('the zygote cannot wait any more: it ends, and another takes over', async () => {
      const error = await under({ call: 'ppoll', depth: 1, fault: 'ENOMEM' }, rejection);
      assert.equal(error.code, 'WORKER_LOST', error.message);
    });

    const deaths: [string, Omit<Order, 'fault' | 'depth'>, 'dies' | 'dies halfway', string][] = [
      ['before it has its program', { call: 'read' }, 'dies', 'return 1'],
      ['before it says anything', { call: 'write' }, 'dies', 'return 1'],
      ['in the middle of its result', { call: 'write' }, 'dies halfway', "return 'x'.repeat(100_000)"],
      ['when it sends nothing but its limits are set', { call: 'setitimer' }, 'dies', 'return 1'],
    ];
    for (const [when, order, fault, code] of deaths)
      it(`the runner dies ${when}: the result says crashed, and by what`, async () => {
        const end = await under({ ...order, depth: 2, fault }, () => answer(code));
        assert.match(String(end), /^crashed: .*SIGILL/);
      });

    const silences: [string, number, string][] = [
      ['its first word', 0, 'return 1'],
      ['its result', 1, "return 'x'.repeat(100_000)"],
      ['a call', 1, 'await tools.t(); return 1'],
    ];
    for (const [where, skip, code] of silences)
      it(`the runner falls silent in the middle of ${where}: it is stopped a while after its limit, and the result says timeout`, async () => {
        let calls = 0;
        const tools = { t: () => calls++ };
        const result = await under({ call: 'write', depth: 2, skip, fault: 'falls silent halfway' }, () =>
          pool.run(code, tools, { limits: { timeoutMs: 300 } }),
        );
        assert.ok(!result.ok);
        assert.equal(result.error.kind, 'timeout', result.error.message);
        const { stop, io, timings, outcome } = result.receipt;
        assert.equal(stop.reason, 'deadline');
        assert.equal(outcome.signal, 'SIGKILL');
        assert.ok(io.bytesOut > 0, 'half of it is there');
        assert.ok(timings.runMs >= 300 && timings.runMs < 5_000, `${timings.runMs} ms`);
        assert.equal(calls, 0, 'half a call is none');
      });
  });
