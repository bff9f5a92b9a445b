/** Everything that can end a command, in every order of three, at once and one after the other. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type IsolatedExecution, LauncherLost, SpawnFailed } from 'wardenpool/executor';
import { arrangements } from '../../support/sequences.js';
import { shell, start } from './collect.js';

/** What ends it by itself is a line, or the end of its input. */
const COMMAND = shell('read line <&3; exit 7');

const ACTS: Record<string, (execution: IsolatedExecution) => unknown> = {
  stop: (execution) => execution.stop(),
  'forced stop': (execution) => execution.stop({ force: true }),
  wait: (execution) => execution.wait().catch(() => {}),
  'natural end': ({ protocol }) => void (protocol.writable && protocol.write('line\n')),
  'end of input': ({ protocol }) => void protocol.end(),
  'error of the stream': ({ protocol }) => void protocol.destroy(new Error('the reader failed')),
};

/** Waits between two acts: none, until the command is there, or a turn. */
const SPACING: Record<string, () => Promise<void> | undefined> = {
  'in one turn': () => undefined,
  'a turn apart': () => setImmediate(),
};

/** Longer than the ladder has rungs. */
const LONGEST_MS = 30_000;

describe('the end of a command, in every order of what can bring it', () => {
  for (const [spacing, pause] of Object.entries(SPACING))
    for (const isThere of [false, true])
      it(`${spacing}, ${isThere ? 'once it is there' : 'from its start'}`, async () => {
        const orders = arrangements(Object.keys(ACTS), 3);
        // A few at a time, as many as a machine has room for.
        const lanes = Array.from({ length: 4 }, async () => {
          for (let names = orders.pop(); names !== undefined; names = orders.pop()) await tried(names);
        });
        await Promise.all(lanes);

        async function tried(names: readonly string[]): Promise<void> {
          const execution = start(COMMAND);
          execution.protocol.on('error', () => {}).resume();
          const begun = performance.now();
          while (isThere && execution.pid === undefined) await setImmediate();
          for (const name of names) {
            void ACTS[name]?.(execution);
            await pause();
          }
          // Nothing of the three may be an end.
          void execution.protocol.end();
          const label = `${names.join(', ')}, ${spacing}`;
          const ends = await Promise.allSettled([execution.wait(), execution.wait()]);
          await execution.stop();
          assert.ok(performance.now() - begun < LONGEST_MS, label);
          const [one, other] = ends;
          if (one?.status === 'rejected') {
            // It was stopped before it was there.
            assert.ok(!isThere && names.some((name) => name.endsWith('stop')), `${label}: ${one.reason}`);
            assert.ok(one.reason instanceof SpawnFailed || one.reason instanceof LauncherLost, label);
            assert.equal(other?.status === 'rejected' && other.reason, one.reason, label);
          } else {
            assert.ok(one?.status === 'fulfilled' && other?.status === 'fulfilled', label);
            assert.equal(one.value, other.value, label);
            const { returncode, signal, receipt } = one.value;
            assert.equal(returncode === null, signal !== null, label);
            assert.equal(receipt.stop.containmentConfirmed, true, label);
            const stops = names.filter((name) => name.endsWith('stop'));
            if (stops.length === 0)
              assert.deepEqual(
                [returncode === 7 || returncode === 1, receipt.stop.reason],
                [true, null],
                label,
              );
            if (!stops.includes('stop')) assert.equal(receipt.stop.gracefulStopAttempted, false, label);
          }
          assert.equal(execution.pid, undefined, label);
        }
      });
});
