import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Warmable, WarmSet } from '../../src/executor/warm-set.js';

function counted(limits: { min: number; max: number }, isReady = () => true) {
  const spawned: Warmable[] = [];
  const set = new WarmSet<Warmable>(
    limits,
    () => {
      const member = {
        get isReady() {
          return isReady();
        },
      };
      spawned.push(member);
      return member;
    },
    () => {},
  );
  return { set, spawned };
}

describe('warm set', () => {
  it('fills itself to its minimum, and refills what was taken on a later turn', async () => {
    const { set, spawned } = counted({ min: 2, max: 8 });
    assert.equal(set.size, 2);
    assert.equal(set.take(), spawned[0]);
    assert.equal(spawned.length, 2);
    await setImmediate();
    assert.equal(set.size, 2);
    set.close();
  });

  it('is ready for another burst like the last one, up to its maximum', async () => {
    for (const [burst, ready] of [
      [4, 4],
      [40, 5],
    ] as const) {
      const { set } = counted({ min: 1, max: 5 });
      for (let taken = 0; taken < burst; taken++) set.take();
      await setImmediate();
      assert.equal(set.size, ready);
      set.close();
    }
  });

  it('is used up to what a calmer time needs', async () => {
    const { set } = counted({ min: 1, max: 8 });
    for (let taken = 0; taken < 8; taken++) set.take();
    await setImmediate();
    assert.equal(set.size, 8);
    await setTimeout(5_200); // until the burst is forgotten
    for (let taken = 0; taken < 6; taken++) {
      set.take();
      await setTimeout(101);
    }
    assert.equal(set.size, 2);
    set.close();
  });

  it('gives out what is on its way, the oldest first, and does not count it as ready', () => {
    const { set, spawned } = counted({ min: 2, max: 2 }, () => false);
    assert.equal(set.size, 0);
    assert.equal(set.take(), spawned[0]);
    assert.equal(set.take(), spawned[1]);
    assert.equal(set.take(), undefined);
    set.close();
  });

  it('replaces a member that ended by itself', async () => {
    const { set, spawned } = counted({ min: 1, max: 1 });
    set.remove(spawned[0] ?? assert.fail());
    await setImmediate();
    assert.equal(spawned.length, 2);
    set.close();
  });

  it('spawns nothing more once it is closed', async () => {
    const { set, spawned } = counted({ min: 1, max: 4 });
    set.take();
    set.close();
    await setImmediate();
    set.refill();
    assert.equal(spawned.length, 1);
  });
});
