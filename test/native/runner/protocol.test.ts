import assert from 'node:assert/strict';
import { executeFrame, Runner, VERSION } from './helper.js';

describe('code-runner: base protocol', () => {
  it('sends ready, then one terminal frame, and exits with 0', async () => {
    const { frames, exitCode, stderr } = await new Runner()
      .send(executeFrame({ code: 'return 6 * 7' }))
      .ended();
    assert.deepEqual(
      frames.map((frame) => frame.type),
      ['ready', 'execution.result'],
    );
    assert.equal(exitCode, 0);
    assert.equal(stderr, '');
  });

  it('reports exactly the base members without features', async () => {
    const { frames } = await new Runner().send(executeFrame({ code: 'return 1' })).ended();
    assert.deepEqual(Object.keys(frames[0] ?? {}), [
      'version',
      'type',
      'executionId',
      'runnerVersion',
      'effectiveLimits',
    ]);
    assert.deepEqual(Object.keys(frames[1] ?? {}), [
      'version',
      'type',
      'executionId',
      'ok',
      'result',
      'metrics',
    ]);
    assert.deepEqual(Object.keys(frames[1]?.metrics ?? {}), ['elapsedMs', 'toolCalls']);
  });

  it('grants the features that it knows and no others', async () => {
    const features = ['errors', 'limits', 'no-such-thing'];
    const { frames } = await new Runner().send(executeFrame({ code: 'return 1', features })).ended();
    assert.deepEqual(frames[0]?.features?.toSorted(), ['errors', 'limits']);
  });

  it('answers with the smaller of requested limits and ceilings', async () => {
    const limits = { maxToolCalls: 1000, maxResultBytes: 7, timeoutMs: 9_000_000 };
    const runner = new Runner(['--max-calls', '12', '--timeout-ms', '3000']);
    const { frames } = await runner.send(executeFrame({ code: 'return 1', limits })).ended();
    assert.deepEqual(frames[0]?.effectiveLimits, { maxToolCalls: 12, maxResultBytes: 7, timeoutMs: 3000 });
  });

  it('answers every limit key that it received under the feature limits', async () => {
    const limits = {
      memoryBytes: 1e15,
      stackBytes: 500_000,
      cpuMs: 100,
      maxLogBytes: 0,
      maxConcurrentToolCalls: 3,
    };
    const { frames } = await new Runner()
      .send(executeFrame({ code: '1', limits, features: ['limits'] }))
      .ended();
    assert.deepEqual(frames[0]?.effectiveLimits, {
      maxToolCalls: 64,
      maxResultBytes: 100_000,
      timeoutMs: 4000,
      memoryBytes: 67_108_864,
      stackBytes: 500_000,
      cpuMs: 100,
      maxLogBytes: 0,
      maxConcurrentToolCalls: 3,
    });
  });

  it('answers an undefined result with null', async () => {
    const { terminal } = await new Runner().send(executeFrame({ code: 'await 1' })).ended();
    assert.equal(terminal?.result, null);
  });

  it('leaves an undefined result out under the feature undefined', async () => {
    const { terminal } = await new Runner()
      .send(executeFrame({ code: 'await 1', features: ['undefined'] }))
      .ended();
    assert.ok(terminal?.ok && !('result' in terminal));
  });

  it('ignores members that it does not know', async () => {
    const { terminal } = await new Runner()
      .send(executeFrame({ code: 'return 1', later: { a: [{}] } }))
      .ended();
    assert.equal(terminal?.result, 1);
  });

  it('echoes an execution id of any characters', async () => {
    const executionId = 'é "\\\u2028\u0000😀';
    const { frames } = await new Runner().send(executeFrame({ code: 'return 1', executionId })).ended();
    assert.deepEqual(
      frames.map((frame) => frame.executionId),
      [executionId, executionId],
    );
  });

  it('reads a frame that arrives byte by byte, inside of characters too', async () => {
    const runner = new Runner();
    const bytes = Buffer.from(`${JSON.stringify(executeFrame({ code: "return '😀é'" }))}\n`);
    for (const byte of bytes) {
      runner.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await runner.ended()).terminal?.result, '😀é');
  });

  it('takes U+2028 and U+2029 inside a frame for characters, not for ends of lines', async () => {
    const { terminal } = await new Runner().send(executeFrame({ code: "return '\u2028\u2029'" })).ended();
    assert.equal(terminal?.result, '\u2028\u2029');
  });

  it('sends ready before the program runs', async () => {
    const runner = new Runner().send(executeFrame({ code: 'for (;;);', limits: { timeoutMs: 60_000 } }));
    await runner.frame('ready');
    runner.send({ version: VERSION, type: 'cancel', executionId: 'e-1' });
    assert.equal((await runner.ended()).terminal?.error?.kind, 'cancelled');
  });

  it('runs one outstanding call at a time, in order', async () => {
    const code = 'return Promise.all([1, 2, 3].map((n) => tools.t({ n })))';
    const runner = new Runner().send(executeFrame({ code, tools: ['t'] }));
    for (let n = 1; n <= 3; n++) {
      const call = await runner.frame('tool.call', n - 1);
      assert.deepEqual([call.id, call.arguments], [n, { n }]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(runner.frames.filter((frame) => frame.type === 'tool.call').length, n);
      runner.answer(call.id, n * 10);
    }
    assert.deepEqual((await runner.ended()).terminal?.result, [10, 20, 30]);
  });

  it('counts the calls that it sent', async () => {
    const runner = new Runner().send(
      executeFrame({ code: 'await tools.t(); await tools.t()', tools: ['t'] }),
    );
    for (let i = 0; i < 2; i++) runner.answer((await runner.frame('tool.call', i)).id, null);
    assert.equal((await runner.ended()).terminal?.metrics?.toolCalls, 2);
  });

  it('has no console without the feature', async () => {
    const { terminal } = await new Runner().send(executeFrame({ code: 'return typeof console' })).ended();
    assert.equal(terminal?.result, 'undefined');
  });

  it('says no more about an error than kind and message without the feature errors', async () => {
    const { terminal } = await new Runner().send(executeFrame({ code: 'null.x' })).ended();
    assert.deepEqual(Object.keys(terminal?.error ?? {}), ['kind', 'message']);
  });
});
