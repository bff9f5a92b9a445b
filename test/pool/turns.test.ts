// Whose work is done at once and whose takes turns: by what is done between two turns of the event loop, not by the clock.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HostTime, inTurns, onePiece } from '../../src/pool/turns.js';

/** Writes its name once for each piece. */
function* pieces(name: string, count: number, done: string[]): Generator<void, void> {
  for (let piece = 1; piece < count; piece++) {
    done.push(name);
    busy(2); // longer than the part of a turn that they have together
    yield;
  }
  done.push(name);
}

function busy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

async function untilDone(done: string[], count: number): Promise<void> {
  for (let turn = 0; turn < 100 && done.length < count; turn++) await nextTurn();
  assert.equal(done.length, count);
}

describe('pool: turns on the main thread', () => {
  it('does small work at once', () => {
    const done: string[] = [];
    inTurns(
      new HostTime(),
      false,
      onePiece(() => done.push('small')),
    );
    assert.deepEqual(done, ['small']);
  });

  it('does large work piece by piece, one after the other, with turns of the event loop between', async () => {
    const done: string[] = [];
    inTurns(new HostTime(), true, pieces('a', 3, done));
    inTurns(new HostTime(), true, pieces('b', 2, done));
    assert.deepEqual(done, []);
    await nextTurn();
    await nextTurn();
    assert.ok(done.length < 5, 'not all in one turn');
    await untilDone(done, 5);
    assert.deepEqual(done, ['a', 'b', 'a', 'b', 'a']);
  });

  it('has a run wait that has had much, and not the others', async () => {
    const done: string[] = [];
    const greedy = new HostTime();
    inTurns(
      greedy,
      false,
      onePiece(() => busy(20)),
    );
    assert.ok(greedy.spentMs >= 20);
    inTurns(
      greedy,
      false,
      onePiece(() => done.push('greedy')),
    );
    inTurns(
      new HostTime(),
      false,
      onePiece(() => done.push('other')),
    );
    assert.deepEqual(done, ['other']);
    await untilDone(done, 2);
  });

  it('goes on with the others after one that throws', async () => {
    const done: string[] = [];
    const thrown = new Promise((resolve) => {
      // mocha has a listener of its own, which would fail this test
      const listeners = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      process.once('uncaughtException', (error) => {
        for (const listener of listeners) process.on('uncaughtException', listener);
        resolve(error);
      });
    });
    inTurns(
      new HostTime(),
      true,
      onePiece(() => {
        throw new Error('as the test wants');
      }),
    );
    inTurns(new HostTime(), true, pieces('b', 2, done));
    await untilDone(done, 2);
    assert.match(String(await thrown), /as the test wants/);
  });
});
