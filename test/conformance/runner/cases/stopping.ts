/** Deadline, cancel, host EOF, SIGTERM and SIGINT, each in every state; and hosts that do not drain. */
import assert from 'node:assert/strict';
import type { Conversation } from '../conversation.js';
import { executeFrame, section } from '../suite.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const stops: [string, (conversation: Conversation) => unknown][] = [
  ['cancel', (conversation) => conversation.cancel()],
  ['host EOF', (conversation) => conversation.endInput()],
  ['SIGTERM', (conversation) => conversation.signal('SIGTERM')],
  ['SIGINT', (conversation) => conversation.signal('SIGINT')],
];

/** Each begins with a call, so that the host knows that the program runs. */
const states: [string, string][] = [
  ['in busy code', 'await tools.go(); for (;;);'],
  [
    'in busy code that catches everything',
    'await tools.go(); for (;;) { try { for (;;); } finally { continue } }',
  ],
  ['in jobs without end', 'await tools.go(); for (;;) await null'],
  ['inside one long builtin: a regular expression', "await tools.go(); /^(a+)+$/.test('a'.repeat(40) + '!')"],
  [
    'inside one long builtin: a conversion to a string',
    "await tools.go(); return (new Array(1e9) + '').length",
  ],
  // The largest power of 7 that fits into the million bits which some engines allow a BigInt.
  [
    'inside one long builtin: BigInt',
    'await tools.go(); return Array(150).fill(7n ** 370000n).join().length',
  ],
  ['while the result is read', 'await tools.go(); return { get a() { for (;;); } }'],
  ['while it waits for a tool', 'await tools.go(); await tools.slow()'],
];

const everyState = section('stopping', [], (add) => {
  for (const [stop, act] of stops) {
    for (const [state, code] of states) {
      add(`${stop} is honoured ${state}; the terminal frame follows`, async (bench) => {
        const conversation = bench.execute({ code, tools: ['go', 'slow'] });
        conversation.answer((await conversation.frame('tool.call')).id, null);
        await pause(50);
        act(conversation);
        const { terminal } = await conversation.ended();
        assert.equal(terminal?.error?.kind, 'cancelled');
      });
    }
  }

  for (const [state, code] of states) {
    add(`the deadline is honoured ${state}; the terminal frame follows`, async (bench) => {
      const conversation = bench.execute({ code, tools: ['go', 'slow'], limits: { timeoutMs: 800 } });
      conversation.answer((await conversation.frame('tool.call')).id, null);
      const { terminal } = await conversation.ended();
      assert.equal(terminal?.error?.kind, 'timeout');
      const elapsed = terminal.metrics?.elapsedMs ?? 0;
      assert.ok(elapsed >= 800 && elapsed < 20_000, `elapsedMs is ${elapsed}`);
    });
  }

  for (const [stop, act] of stops) {
    for (const [state, bytes] of [
      ['before execute', ''],
      ['in the middle of execute', JSON.stringify(executeFrame()).slice(0, 50)],
    ] as const) {
      if (stop === 'cancel' && bytes !== '') continue; // it would be a part of the frame
      add(`${stop} is honoured ${state}: the runner ends without a frame`, async (bench) => {
        const conversation = bench.start();
        if (bytes !== '') conversation.write(bytes);
        await conversation.handlesSignals();
        act(conversation);
        const { exitCode, frames } = await conversation.ended();
        assert.ok(exitCode === 1 || exitCode === 2, `the exit code is ${exitCode}`);
        assert.equal(frames.length, 0);
      });
    }
  }

  add('the deadline of the command line is honoured in the middle of execute', async (bench) => {
    const { exitCode } = await bench
      .start({ options: ['--timeout-ms', '200'] })
      .write('{')
      .ended();
    assert.ok(exitCode === 1 || exitCode === 2, `the exit code is ${exitCode}`);
  });

  add('the deadline counts time that a tool takes', async (bench) => {
    const conversation = bench.execute({
      code: 'for (let i = 0; i < 20; i++) await tools.t(); return 1',
      tools: ['t'],
      limits: { timeoutMs: 500 },
    });
    void (async () => {
      for (let i = 0; ; i++) {
        const { id } = await conversation.frame('tool.call', i);
        await pause(60);
        conversation.answer(id, null);
      }
    })().catch(() => {}); // the run ends first
    assert.equal((await conversation.ended()).terminal?.error?.kind, 'timeout');
  });

  add('a program that ends in time is not ended by its deadline', async (bench) => {
    const code = 'for (const end = Date.now() + 200; Date.now() < end; ); return 1';
    assert.equal(await bench.value(code, { limits: { timeoutMs: 20_000 } }), 1);
  });
});

const notDraining = section('hosts that do not drain', [], (add) => {
  const setup = {
    options: ['--max-frame-bytes', '8000000', '--max-result-bytes', '6000000', '--timeout-ms', '30000'],
  };
  /** Its one call fills the socket, so that nothing more can be sent. */
  const stuck = { code: "await tools.t({ text: 'x'.repeat(5e6) })", tools: ['t'] };

  add('the run ends without a terminal frame, with exit code 1', async (bench) => {
    const conversation = bench.execute({ ...stuck, limits: { timeoutMs: 4000 } }, setup);
    await conversation.frameBegun();
    assert.equal(await conversation.stopReading().exited(), 1);
  });

  add('a cancelled run ends too, with exit code 1', async (bench) => {
    const conversation = bench.execute(stuck, setup);
    await conversation.frameBegun();
    assert.equal(await conversation.stopReading().cancel().exited(), 1);
  });

  add(
    'a program that has ended does not wait for its host for ever, and ends with exit code 1',
    async (bench) => {
      const limits = { maxResultBytes: 6_000_000, timeoutMs: 4000 };
      const conversation = bench.execute({ code: "return 'x'.repeat(5e6)", limits }, setup);
      await conversation.frameBegun();
      assert.equal(await conversation.stopReading().exited(), 1);
    },
  );

  add('to a host that drains late, but before the deadline, nothing is lost', async (bench) => {
    const limits = { maxResultBytes: 6_000_000, timeoutMs: 25_000 };
    const conversation = bench.execute({ code: "return 'x'.repeat(5e6)", limits }, setup).stopReading();
    await pause(300);
    const { terminal } = await conversation.continueReading().ended();
    assert.equal((terminal?.result as string | undefined)?.length, 5e6);
  });
});

const never = section('what never happens', [], (add) => {
  for (const [name, length] of [
    ['small', 2],
    ['large', 500_000],
  ] as const) {
    add(`a terminal frame lost because the child exited first: 10 ${name} ones`, async (bench) => {
      for (let round = 0; round < 10; round++) {
        const limits = { maxResultBytes: 524_288 };
        const value = await bench.value(`return 'x'.repeat(${length})`, { limits });
        assert.equal((value as string).length, length);
      }
    });
  }

  add('a frame after the terminal frame: calls and jobs that are left over', async (bench) => {
    const code = `for (let i = 0; i < 20; i++) tools.t({ i });
      Promise.resolve().then(function again() { tools.t(); return Promise.resolve().then(again) });
      return 1`;
    // That nothing follows the terminal frame is checked with each frame.
    const conversation = bench.execute({ code, tools: ['t'], limits: { maxToolCalls: 50 } });
    assert.notEqual((await conversation.ended()).terminal, undefined);
  });

  add('two terminal frames: cancel and SIGTERM while the program ends', async (bench) => {
    for (let round = 0; round < 10; round++) {
      const conversation = bench.execute({ code: 'return await tools.t()', tools: ['t'] });
      const { id } = await conversation.frame('tool.call');
      conversation.answer(id, 1).cancel();
      await pause(0);
      conversation.signal('SIGTERM');
      assert.notEqual((await conversation.ended()).terminal, undefined);
    }
  });

  add(
    'a receive queue that grows without bound: 9 undelivered frames are a protocol failure',
    async (bench) => {
      const conversation = bench.execute({ code: 'await tools.t(); for (;;);', tools: ['t'] });
      const { id } = await conversation.frame('tool.call');
      conversation.answer(id, null);
      await pause(50);
      for (let i = 0; i < 9; i++) conversation.answer(id, null);
      assert.equal((await conversation.ended()).terminal?.error?.kind, 'internal');
    },
  );

  add('a receive queue that grows without bound: a host that floods a busy program', async (bench) => {
    const conversation = bench.execute({ code: 'await tools.t(); for (;;);', tools: ['t'] });
    const { id } = await conversation.frame('tool.call');
    conversation.answer(id, null);
    await pause(50);
    const text = 'x'.repeat(100_000);
    for (let i = 0; i < 100; i++) conversation.answer(id, text);
    assert.equal((await conversation.ended()).terminal?.error?.kind, 'internal');
  });

  add('large results one after the other are no flood', async (bench) => {
    const code = 'let n = 0; for (let i = 0; i < 10; i++) n += (await tools.t()).length; return n';
    const text = 'x'.repeat(900_000);
    assert.equal(await bench.value(code, { tools: { t: () => text } }), 9_000_000);
  });
});

export const stopping = [everyState, notDraining, never];
