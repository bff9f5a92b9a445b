import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ALL_FEATURES, executeFrame, Runner, VERSION } from './helper.js';

const limits = { timeoutMs: 60_000 };
const cancel = { version: VERSION, type: 'cancel', executionId: 'e-1' };

type Stop = (runner: Runner) => void;
const stops: [string, Stop][] = [
  ['a cancel', (runner) => runner.send(cancel)],
  ['the end of the host', (runner) => runner.endInput()],
  ['SIGTERM', (runner) => runner.process.kill('SIGTERM')],
  ['SIGINT', (runner) => runner.process.kill('SIGINT')],
];

const states: [string, string][] = [
  ['busy', 'await tools.ready(); for (;;);'],
  ['inside one built-in function', "await tools.ready(); /^(a+)+$/.test('a'.repeat(40) + '!')"],
  ['running jobs without end', 'await tools.ready(); while (true) await null'],
  ['waiting for a tool', 'await tools.ready(); await tools.slow()'],
  [
    'describing what was thrown',
    'await tools.ready(); throw Object.defineProperty(new Error(), "name", { get() { for (;;); } })',
  ],
];

/* Until the runner waits for its host, by the number of ppoll on x86-64: before that, it is being initialised. */
async function waiting(runner: Runner): Promise<void> {
  while (!readFileSync(`/proc/${runner.process.pid}/syscall`, 'utf8').startsWith('271 ')) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('code-runner: being stopped', () => {
  for (const [stopName, stop] of stops) {
    for (const [stateName, code] of states) {
      it(`ends by ${stopName} while ${stateName}`, async () => {
        const runner = new Runner(['--timeout-ms', '60000']);
        runner.send(executeFrame({ code, tools: ['ready', 'slow'], limits, features: ALL_FEATURES }));
        const { id } = await runner.frame('tool.call');
        runner.answer(id, null);
        await new Promise((resolve) => setTimeout(resolve, 40));
        stop(runner);
        const { terminal, exitCode, signal } = await runner.ended();
        assert.deepEqual([exitCode, signal], [0, null]);
        assert.equal(terminal?.error?.kind, 'cancelled');
        assert.ok((terminal.metrics?.elapsedMs ?? 1e9) < 5000);
      });
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends by ${signal} before execute, with 1`, async () => {
      const runner = new Runner().write('{');
      await waiting(runner);
      runner.process.kill(signal);
      const { exitCode, stderr, frames } = await runner.ended();
      assert.deepEqual([exitCode, frames], [1, []]);
      assert.match(stderr, /signal before the execute frame/);
    });
  }

  it('ends by a cancel that came in one go with execute', async () => {
    const code = 'for (;;);';
    const frames = [executeFrame({ code, limits }), cancel].map((frame) => `${JSON.stringify(frame)}\n`);
    assert.equal(
      (await new Runner(['--timeout-ms', '60000']).write(frames.join('')).ended()).terminal?.error?.kind,
      'cancelled',
    );
  });

  it('sends what it has written when it is stopped', async () => {
    const code = "console.log('x'.repeat(60000)); await tools.ready(); for (;;);";
    const runner = new Runner(['--timeout-ms', '60000']);
    runner.send(executeFrame({ code, tools: ['ready'], limits, features: ALL_FEATURES }));
    runner.answer((await runner.frame('tool.call')).id, null);
    runner.process.kill('SIGTERM');
    const { frames } = await runner.ended();
    assert.equal(frames.find((frame) => frame.type === 'log')?.text?.length, 60_000);
  });
});

describe('code-runner: a host that does not read', () => {
  /* Far more than a socket takes: 60 results of 20 kB each as arguments, twice over. */
  const code =
    "const text = 'x'.repeat(20000); for (let i = 0; i < 60; i++) tools.t({ text }); await tools.t()";
  const frame = {
    code,
    tools: ['t'],
    features: ALL_FEATURES,
    limits: { maxToolCalls: 1000, maxConcurrentToolCalls: 100 },
  };
  const options = ['--max-calls', '1000', '--max-frame-bytes', '100000'];

  it('ends at its deadline without a terminal frame, with 1', async () => {
    const runner = new Runner([...options, '--timeout-ms', '300']).stopReading().send(executeFrame(frame));
    const exitCode = await new Promise((resolve) => runner.process.once('exit', resolve));
    assert.equal(exitCode, 1);
  });

  for (const [what, then, others, kind] of [
    ['used up its CPU time', 'for (;;);', { cpuMs: 100 }, 'timeout'],
    ['made too many calls', 'for (;;) tools.t()', {}, 'limit'],
  ] as const) {
    it(`is told that the program ${what} when it reads late, but before the deadline`, async () => {
      const limits = { ...frame.limits, timeoutMs: 60_000, ...others };
      const flood = "const text = 'x'.repeat(20000); for (let i = 0; i < 60; i++) tools.t({ text });";
      const execute = executeFrame({ ...frame, code: `${flood} ${then}`, limits });
      /* Its buffer has room for all of it. */
      const roomy = ['--max-calls', '1000', '--max-frame-bytes', '1000000', '--timeout-ms', '60000'];
      const runner = new Runner(roomy).stopReading().send(execute);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const { terminal, exitCode } = await runner.continueReading().ended();
      assert.deepEqual([exitCode, terminal?.error?.kind], [0, kind]);
    });
  }

  it('loses and cuts nothing when it reads late', async () => {
    const runner = new Runner(options).stopReading().send(executeFrame(frame));
    await new Promise((resolve) => setTimeout(resolve, 200));
    runner.continueReading();
    await runner.frame('tool.call', 15);
    runner.send(cancel);
    const { frames, exitCode } = await runner.ended();
    const calls = frames.filter(({ type }) => type === 'tool.call');
    assert.equal(exitCode, 0);
    assert.ok(
      calls.every(
        (call, index) => call.id === index + 1 && String(call.arguments?.['text']).length === 20_000,
      ),
    );
  });
});
