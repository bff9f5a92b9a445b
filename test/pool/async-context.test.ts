import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createPool, type Pool } from 'wardenpool';

describe('pool: async context', () => {
  const storage = new AsyncLocalStorage<string>();
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1, concurrency: 2 });
  });
  after(() => pool.close());

  it('runs handlers and callbacks in the context of their run() call', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const seen = await Promise.all(
      names.map((name) =>
        storage.run(name, async () => {
          const contexts: (string | undefined)[] = [];
          const note = () => void contexts.push(storage.getStore());
          await pool.run(
            'console.log(1); await tools.t(); await tools.t(); throw 1',
            {
              t: async () => {
                note();
                await null;
                note();
              },
            },
            { onLog: note, onToolCall: note },
          );
          contexts.push(storage.getStore());
          return contexts;
        }),
      ),
    );
    assert.deepEqual(
      seen,
      names.map((name) => Array(8).fill(name)),
    );
  });
});
