/** Everything that can end a sandbox of a pool, in every order of four, at once and one after the other. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Executor } from '../../src/executor/executor.js';
import type { Sandbox } from '../../src/executor/sandbox.js';
import { arrangements } from '../support/sequences.js';
import { CEILINGS, EXECUTE, run } from './sandboxes.js';

const ACTS: Record<string, (sandbox: Sandbox) => unknown> = {
  stop: (sandbox) => sandbox.stop('cancelled'),
  kill: (sandbox) => sandbox.kill('closed'),
  'natural end': (sandbox) => sandbox.write(EXECUTE),
  'end of input': (sandbox) => sandbox.endInput(),
  'end of reading': (sandbox) => sandbox.awaitExit(),
};

const REASONS: Record<string, string> = { stop: 'cancelled', kill: 'closed' };

for (const backend of ['namespaces', 'seccomp'] as const)
  describe(`the end of a sandbox, in every order of what can bring it, on ${backend}`, () => {
    let executor: Executor;
    before(async () => {
      executor = await Executor.open({
        isolation: 'default',
        backend,
        warm: { min: 4, max: 16 },
        ceilings: CEILINGS,
      });
    });
    after(() => executor.close());

    for (const [spacing, pause] of [
      ['in one turn', () => undefined],
      ['a turn apart', () => setImmediate()],
    ] as const)
      it(`${spacing}`, async () => {
        for (const names of arrangements(Object.keys(ACTS), 4)) {
          const label = names.join(', ');
          const sandbox = await executor.acquire();
          const stops: Promise<void>[] = [];
          const ended = run(sandbox);
          for (const name of names) {
            const stopped = ACTS[name]?.(sandbox);
            if (stopped instanceof Promise) stops.push(stopped);
            await pause();
          }
          const { end, events } = await ended;
          await Promise.all(stops);
          assert.deepEqual(events.slice(-2), ['end', 'exit'], label);
          assert.equal(events.filter((event) => event === 'exit').length, 1, label);
          assert.equal(end.containmentConfirmed, true, label);
          const [first] = names.filter((name) => name in REASONS);
          const { reason } = end.receipt.stop;
          // It may have ended before it was to be stopped.
          assert.ok(reason === null || reason === REASONS[first ?? ''], `${label}: ${reason}`);
          if (spacing === 'in one turn') assert.equal(reason, REASONS[first ?? ''], label);
          if (!names.includes('stop')) assert.equal(end.receipt.stop.gracefulStopAttempted, false, label);
        }
      });
  });
