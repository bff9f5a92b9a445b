import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createPool, type Pool } from 'wardenpool';

describe('pool: a run', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  async function value(code: string, tools = {}): Promise<unknown> {
    const run = await pool.run(code, tools);
    assert.ok(run.ok, run.ok ? '' : run.error.message);
    return run.value;
  }

  it('gives the value of a program that calls a tool', async () => {
    const double = ({ value }: { value: number }) => ({ value: value * 2 });
    const code = `const { value } = await tools['math.double']({ value: 21 }); return value;`;
    assert.equal(await value(code, { 'math.double': double }), 42);
  });

  it('runs without tools and without options', async () => {
    const run = await pool.run('return [1, "é", null, { a: true }]');
    assert.deepEqual(run.ok && run.value, [1, 'é', null, { a: true }]);
  });

  it('gives undefined for a program without return', async () => {
    assert.equal(await value('const sum = 1 + 1;'), undefined);
  });

  it('keeps __proto__, NUL, U+2028 and lone surrogates of a value', async () => {
    const text = '\0\u2028\ud800😀';
    const result = await value(`return { ['__proto__']: ${JSON.stringify(text)} }`);
    assert.deepEqual(Object.keys(result as object), ['__proto__']);
    assert.equal(Object.getOwnPropertyDescriptor(result, '__proto__')?.value, text);
  });

  it('says how the text was read, and what it used', async () => {
    const run = await pool.run('for (let i = 0; i < 1e6; i++); return await tools.a()', { a: () => 1 });
    assert.deepEqual(run.program, { language: 'js', rule: 'statements' });
    const { queueMs, spawnMs, runMs, cpuMs, peakMemoryBytes, toolCalls } = run.usage;
    for (const number of [queueMs, spawnMs, runMs, cpuMs])
      assert.ok(number >= 0 && number < 10_000, `${number}`);
    assert.ok(cpuMs > 0);
    assert.ok(peakMemoryBytes > 100_000 && peakMemoryBytes < 70_000_000, `${peakMemoryBytes}`);
    assert.equal(toolCalls, 1);
    assert.deepEqual(run.warnings, []);
  });

  it('warns about a rejection that nothing handles, and about nothing else', async () => {
    const run = await pool.run("Promise.reject(new Error('lost')); return 1");
    assert.equal(run.ok && run.value, 1);
    assert.equal(run.warnings.length, 1);
    assert.equal(run.warnings[0]?.code, 'UNHANDLED_REJECTION');
    assert.match(run.warnings[0]?.message ?? '', /lost/);
    const handled = await pool.run(
      "const late = Promise.reject(new Error('x')); await null; return late.catch(() => 2)",
    );
    assert.deepEqual(handled.warnings, []);
  });

  it('repeats a program that is given a seed', async () => {
    const code = 'return [Math.random(), Date.now(), crypto.randomUUID(), await tools.a()]';
    const runs = await Promise.all(
      ['one', 'one', 'two'].map((seed) => pool.run(code, { a: () => 1 }, { seed })),
    );
    const [first, again, other] = runs.map((run) => run.ok && run.value);
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, other);
  });

  it('has a complete receipt with the digests of the program', async () => {
    const code = 'return "é"';
    const { receipt, executionId } = await pool.run(code, {}, { labels: { team: 'a' } });
    assert.equal(receipt.state, 'complete');
    assert.equal(receipt.executionId, executionId);
    assert.deepEqual(receipt.labels, { team: 'a' });
    const digest = createHash('sha256').update(code).digest('hex');
    assert.equal(receipt.codeDigest, digest);
    assert.equal(receipt.programDigest, digest);
    assert.deepEqual(receipt.outcome, { kind: 'exited', code: 0 });
    assert.equal(receipt.limits['timeoutMs'], 60_000);
    assert.ok(receipt.io.bytesIn > code.length && receipt.io.bytesOut > 0);
  });

  it('gives each run an executionId of its own, in the order of the runs', async () => {
    const ids = (await Promise.all([pool.run('1'), pool.run('1')])).map(({ executionId }) => executionId);
    assert.match(ids[0] ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.ok((ids[0] ?? '') < (ids[1] ?? ''));
  });

  it('takes an executionId, and takes it again when the run is over', async () => {
    assert.equal((await pool.run('1', {}, { executionId: 'mine' })).executionId, 'mine');
    assert.equal((await pool.run('1', {}, { executionId: 'mine' })).executionId, 'mine');
  });

  it('emits the receipt of every run', async () => {
    const receipts: string[] = [];
    const listener = (receipt: { executionId: string }) => receipts.push(receipt.executionId);
    pool.on('receipt', listener);
    const runs = await Promise.all([pool.run('1'), pool.run('throw 1')]);
    pool.off('receipt', listener);
    assert.deepEqual(receipts.sort(), runs.map(({ executionId }) => executionId).sort());
  });

  it('starts every program in a fresh world', async () => {
    await pool.run('globalThis.leak = 1; Array.prototype.map = null; JSON.stringify = () => "x"');
    assert.deepEqual(await value('return [typeof leak, [1].map((x) => x + 1), JSON.stringify(1)]'), [
      'undefined',
      [2],
      '1',
    ]);
  });

  it('runs a hundred at once', async () => {
    const runs = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        pool.run(`return await tools.echo({ n: ${n} })`, { echo: (x: object) => x }),
      ),
    );
    assert.deepEqual(
      runs.map((run) => run.ok && run.value),
      runs.map((_, n) => ({ n })),
    );
  });
});
