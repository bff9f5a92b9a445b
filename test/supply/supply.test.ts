// What is renewed while it serves: on things that start and end as each case wants.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Supplied, Supply } from '../../src/supply/supply.js';

class Item implements Supplied {
  isClosed = false;
  becomeReady: () => void = () => {};
  fail: (error: Error) => void = () => {};
  readonly #ready = new Promise<void>((resolve, reject) => {
    this.becomeReady = resolve;
    this.fail = reject;
  });

  constructor(readonly end: () => void) {}

  whenReady(): Promise<void> {
    return this.#ready;
  }

  async close(): Promise<void> {
    await nextTurn();
    this.isClosed = true;
    this.end();
  }
}

async function serving(): Promise<{ supply: Supply<Item>; items: Item[]; replaced: Item[] }> {
  const items: Item[] = [];
  const replaced: Item[] = [];
  const supply = new Supply<Item>({
    start: (onEnd) => {
      const item = new Item(onEnd);
      items.push(item);
      return item;
    },
    explain: (error) => error as Error,
    closed: () => new Error('closed'),
    onServing() {},
    onLost() {},
    onReplaced: (item) => replaced.push(item),
  });
  await nextTurn();
  items[0]?.becomeReady();
  await supply.get();
  return { supply, items, replaced };
}

describe('supply: renewal', () => {
  it('puts the next in the place of the first when it is ready, and no sooner', async () => {
    const { supply, items, replaced } = await serving();
    const [first] = items;
    supply.renew();
    supply.renew();
    await nextTurn();
    assert.equal(items.length, 2);
    assert.equal(supply.current, first);
    items[1]?.becomeReady();
    await nextTurn();
    assert.equal(supply.current, items[1]);
    assert.deepEqual(replaced, [first]);
    assert.equal(first?.isClosed, false);
    first?.end();
    assert.equal(supply.current, items[1]);
    assert.equal(supply.losses, 0);
    await supply.close();
  });

  it('keeps the first if the next cannot be started, and may be asked again', async () => {
    const { supply, items, replaced } = await serving();
    supply.renew();
    items[1]?.fail(new Error('as the test wants'));
    await nextTurn();
    assert.equal(supply.current, items[0]);
    supply.renew();
    items[2]?.becomeReady();
    await nextTurn();
    assert.equal(supply.current, items[2]);
    assert.deepEqual(replaced, [items[0]]);
    await supply.close();
  });

  it('ends one that is on its way when it is closed, and waits for that', async () => {
    const { supply, items } = await serving();
    supply.renew();
    await supply.close();
    assert.deepEqual(
      items.map(({ isClosed }) => isClosed),
      [true, true],
    );
  });

  it('ends one that gets ready while the first was lost, and waits for that when it is closed', async () => {
    const { supply, items } = await serving();
    supply.renew();
    items[0]?.end();
    assert.equal(supply.current, undefined);
    assert.equal(items.length, 3);
    items[1]?.becomeReady();
    await supply.close();
    assert.equal(items[1]?.isClosed, true);
    assert.equal(items[2]?.isClosed, true);
  });
});
