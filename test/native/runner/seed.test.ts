import assert from 'node:assert/strict';
import { ALL_FEATURES, executeFrame, type Frame, Runner, resultOf, run } from './helper.js';

/* Everything that differs between two runs of one program. */
function repeatable(frames: Frame[]): unknown {
  return frames.map(({ executionId, metrics, ...others }) => ({
    ...others,
    metrics: metrics && { ...metrics, elapsedMs: 0 },
  }));
}

const observe = `
  const seen = [Math.random(), Date.now(), new Date().toISOString(), performance.now(), performance.timeOrigin, crypto.randomUUID(),
    [...crypto.getRandomValues(new Uint32Array(3))], Math.random()];
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  await Promise.all([3, 1, 2].map((ms) => sleep(ms).then(() => { seen.push(ms, Date.now()) })));
  console.log(seen);
  const registry = new FinalizationRegistry((held) => seen.push(held)); const weak = [];
  for (let i = 0; i < 50; i++) { registry.register({ i }, i); weak.push(new WeakRef({ i })) }
  await sleep(1);
  return [seen, weak.map((ref) => ref.deref() === undefined)];`;

describe('code-runner: seed', () => {
  it('makes two runs send the same frames, memory and order included', async () => {
    const one = await run(observe, { seed: 'a' });
    const two = await run(observe, { seed: 'a', executionId: 'another, longer one' });
    assert.equal(one.terminal?.ok, true);
    assert.deepEqual(repeatable(two.frames), repeatable(one.frames));
  });

  it('gives other numbers for other seeds, the empty one included', async () => {
    const code = 'return [Math.random(), crypto.randomUUID()].join()';
    const values = await Promise.all(
      ['', 'a', 'b', 'é', '\ud800', 'a'].map((seed) => resultOf(code, { seed })),
    );
    assert.equal(new Set(values).size, 5);
    assert.equal(values[1], values[5]);
  });

  it('begins in the year 2000, and goes on by a millisecond with each reading and by the delays of timers', async () => {
    const code = `const dates = [new Date().toISOString(), Date.now() - Date.UTC(2000), performance.now()];
      await new Promise((resolve) => setTimeout(resolve, 20));
      return [...dates, Date.now() - Date.UTC(2000), performance.timeOrigin - Date.UTC(2000)]`;
    assert.deepEqual(await resultOf(code, { seed: 's' }), ['2000-01-01T00:00:00.000Z', 1, 2, 23, 0]);
  });

  it('still waits as long as a timer says', async () => {
    const { terminal } = await run('await new Promise((resolve) => setTimeout(resolve, 60))', { seed: 's' });
    assert.ok((terminal?.metrics?.elapsedMs ?? 0) >= 59);
  });

  it('orders timers by their times, however long the program was busy between', async () => {
    const code = `const seen = []; const busy = () => { for (let i = 0; i < 3e5; i++); };
      setTimeout(() => seen.push('b'), 4); busy(); setTimeout(() => seen.push('a'), 3); busy(); setTimeout(() => seen.push('c'), 4);
      await new Promise((resolve) => setTimeout(resolve, 5)); return seen.join('')`;
    assert.equal(await resultOf(code, { seed: 's' }), 'abc');
  });

  it('does not depend on whether answers come together or apart, nor on how long they take', async () => {
    const code = `const seen = [];
      setTimeout(() => seen.push('timer'), 1);
      const one = async (n) => { const r = await tools.t({ n }); seen.push(r); await null; await null; await tools.u({ n }); seen.push('u' + r) };
      await Promise.all([one(1), one(2)]); await new Promise((resolve) => setTimeout(resolve, 3)); return seen`;
    const frame = executeFrame({ code, tools: ['t', 'u'], seed: 's', features: ALL_FEATURES });
    const answer = (id: number) =>
      `${JSON.stringify({ version: 'code-bridge-v1', type: 'tool.result', id, ok: true, result: id })}\n`;
    const outcomes = [];
    for (const pause of [0, 15]) {
      const runner = new Runner().send(frame);
      for (const ids of [
        [1, 2],
        [3, 4],
      ]) {
        await runner.frame('tool.call', (ids[0] ?? 0) - (pause === 0 ? 0 : 1));
        if (pause === 0) {
          runner.write(ids.map(answer).join(''));
          continue;
        }
        for (const id of ids) {
          await runner.frame('tool.call', id - 1);
          await new Promise((resolve) => setTimeout(resolve, pause));
          runner.write(answer(id));
        }
      }
      outcomes.push(repeatable((await runner.ended()).frames));
    }
    assert.deepEqual(outcomes[0], outcomes[1]);
  });

  it('is refused, by name, when it is no string', async () => {
    for (const seed of [7, null, {}, ['a']]) {
      const { exitCode, stderr, frames } = await new Runner()
        .send(executeFrame({ code: 'return 1', features: ['seed'], seed }))
        .ended();
      assert.deepEqual([exitCode, frames], [1, []]);
      assert.match(stderr, /seed must be a string/);
    }
  });

  it('is ignored without the feature, whatever it is', async () => {
    assert.equal(await resultOf('return 1', { features: ['web'], seed: 7 }), 1);
    const values = await Promise.all(
      [1, 2].map(() => resultOf('return Math.random()', { features: [], seed: 'a' })),
    );
    assert.notEqual(values[0], values[1]);
  });

  it('leaves a run without a seed as it is, where the feature was granted', async () => {
    const values = (await Promise.all([1, 2].map(() => resultOf('return [Math.random(), Date.now()]')))) as [
      number,
      number,
    ][];
    assert.notEqual(values[0]?.[0], values[1]?.[0]);
    assert.ok(Math.abs((values[0]?.[1] ?? 0) - Date.now()) < 60_000);
  });
});
