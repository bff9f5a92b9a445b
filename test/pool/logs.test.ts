import assert from 'node:assert/strict';
import { createPool, type LogEntry, type Pool } from 'wardenpool';
import { gate } from './deferred.js';

describe('pool: logs', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  it('gives level, text, seq and time of each console call, in order', async () => {
    const { logs, logsTruncated } = await pool.run(
      "console.debug('a'); await tools.t(); console.warn('b', [1]); console.info('')",
      { t: () => 1 },
    );
    assert.deepEqual(
      logs.map(({ level, text }) => ({ level, text })),
      [
        { level: 'debug', text: 'a' },
        { level: 'warn', text: 'b [ 1 ]' },
        { level: 'info', text: '' },
      ],
    );
    assert.ok(
      logs.every(({ seq, ms }, index) => index === 0 || (seq > (logs[index - 1]?.seq ?? 0) && ms >= 0)),
    );
    assert.equal(logsTruncated, false);
  });

  it('streams each entry to onLog before the program goes on', async () => {
    const seen: LogEntry[] = [];
    const atCall: number[] = [];
    const { logs } = await pool.run(
      'console.log(1); console.log(2); await tools.t(); console.log(3)',
      { t: () => void atCall.push(seen.length) },
      { onLog: (entry) => seen.push(entry) },
    );
    assert.deepEqual(atCall, [2]);
    assert.deepEqual(seen, logs);
    assert.equal(seen.length, 3);
  });

  it('has all streamed entries when the result comes', async () => {
    for (let round = 0; round < 20; round++) {
      let seen = 0;
      const run = await pool.run('for (let i = 0; i < 50; i++) console.log(i)', {}, { onLog: () => seen++ });
      assert.equal(seen, 50);
      assert.equal(run.logs.length, 50);
    }
  });

  it('keeps what fits, and says that the rest was left out', async () => {
    const { logs, logsTruncated, ...run } = await pool.run(
      "for (let i = 0; i < 1e4; i++) console.log('x'.repeat(100)); return 1",
    );
    assert.equal(run.ok && run.value, 1);
    assert.equal(logsTruncated, true);
    const bytes = logs.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(bytes > 60_000 && bytes <= 65_536, `${bytes} bytes`);
  });

  it('hands an abort what was logged until then', async () => {
    const { tool, entered } = gate();
    const controller = new AbortController();
    const run = pool.run("console.log('early'); await tools.t()", { t: tool }, { signal: controller.signal });
    await entered;
    controller.abort();
    await assert.rejects(run, ({ logs }: { logs: LogEntry[] }) => logs[0]?.text === 'early');
  });
});
