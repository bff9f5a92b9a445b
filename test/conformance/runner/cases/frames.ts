/** The section "Frames" of code-bridge-v1, from a runner's side. */
import assert from 'node:assert/strict';
import { VERSION } from '../../wire/frames.js';
import { type ExecuteMembers, executeFrame, section } from '../suite.js';

const limits = { maxToolCalls: 1, maxResultBytes: 1, timeoutMs: 1 };
const withLimit = (members: Record<string, unknown>): Record<string, unknown> => ({
  limits: { ...limits, ...members },
});
const toolsNamed = (...names: unknown[]): Record<string, unknown> => ({
  tools: names.map((name) => ({ name })),
});

/** Contents that are refused, and the field that the diagnosis must name. `undefined` leaves a member out. */
const refused: [string, Record<string, unknown>, string][] = [
  ['version: missing', { version: undefined }, 'version'],
  ['version: another one', { version: 'code-bridge-v2' }, 'version'],
  ['version: no string', { version: 1 }, 'version'],
  ['type: missing', { type: undefined }, 'type'],
  ['type: cancel', { type: 'cancel' }, 'type'],
  ['executionId: missing', { executionId: undefined }, 'executionId'],
  ['executionId: a number', { executionId: 7 }, 'executionId'],
  ['executionId: null', { executionId: null }, 'executionId'],
  ['code: missing', { code: undefined }, 'code'],
  ['code: null', { code: null }, 'code'],
  ['code: an array', { code: ['return 1'] }, 'code'],
  ['code: empty', { code: '' }, 'code'],
  ['tools: missing', { tools: undefined }, 'tools'],
  ['tools: null', { tools: null }, 'tools'],
  ['tools: an object', { tools: {} }, 'tools'],
  ['tools: an element that is a string', { tools: ['t'] }, 'tools'],
  ['tools: an element that is null', { tools: [null] }, 'tools'],
  ['tools: an element that is an array', { tools: [[]] }, 'tools'],
  ['tools: 513 of them', toolsNamed(...Array.from({ length: 513 }, (_, i) => `t${i}`)), 'tools'],
  ['name: missing', { tools: [{}] }, 'name'],
  ['name: a number', toolsNamed(1), 'name'],
  ['name: empty', toolsNamed(''), 'name'],
  ['name: 257 bytes', toolsNamed('x'.repeat(257)), 'name'],
  ['name: 257 bytes in 129 characters', toolsNamed(`${'é'.repeat(128)}x`), 'name'],
  ['name: with NUL', toolsNamed('a\u0000b'), 'name'],
  ['name: twice', toolsNamed('a', 'b', 'a'), 'name'],
  ['limits: missing', { limits: undefined }, 'limits'],
  ['limits: null', { limits: null }, 'limits'],
  ['limits: an array', { limits: [] }, 'limits'],
  ...(['maxToolCalls', 'maxResultBytes', 'timeoutMs'] as const).flatMap((key) =>
    (
      [
        ['missing', undefined],
        ['null', null],
        ['a string', '1'],
        ['a fraction', 1.5],
        ['negative', -1],
        ...(key === 'maxToolCalls' ? [] : [['0', 0]]),
      ] as [string, unknown][]
    ).map(([name, value]): [string, Record<string, unknown>, string] => [
      `limits.${key}: ${name}`,
      withLimit({ [key]: value }),
      key,
    ]),
  ),
  ['features: a string', { features: 'console' }, 'features'],
  ['features: an element that is a number', { features: ['console', 1] }, 'features'],
];

/** Contents that are unusual, and accepted. */
const accepted: [string, ExecuteMembers][] = [
  ['executionId: empty', { executionId: '' }],
  ['executionId: any characters', { executionId: 'é "\\\u2028\u0000😀\n' }],
  ['tools: 512 of them', { tools: Array.from({ length: 512 }, (_, i) => `t${i}`) }],
  ['name: 256 bytes', { tools: ['é'.repeat(128)] }],
  ['limits.maxToolCalls: 0', { limits: { maxToolCalls: 0 } }],
  ['limits.maxResultBytes: 1', { limits: { maxResultBytes: 1 } }],
  ['limits: far over every ceiling', { limits: { maxToolCalls: 2 ** 53 - 1, timeoutMs: 2 ** 53 - 1 } }],
];

/** What a host may not send while the call with id 1 is open. */
const failures: [string, Record<string, unknown>][] = [
  ['a tool.result with an id that was never sent', { type: 'tool.result', id: 2, ok: true }],
  ['a tool.result with the id 0', { type: 'tool.result', id: 0, ok: true }],
  ['a tool.result whose id is a string', { type: 'tool.result', id: '1', ok: true }],
  ['a tool.result whose id is a fraction', { type: 'tool.result', id: 1.5, ok: true }],
  ['a tool.result without id', { type: 'tool.result', ok: true }],
  ['a tool.result without ok', { type: 'tool.result', id: 1, result: 1 }],
  ['a tool.result whose ok is no boolean', { type: 'tool.result', id: 1, ok: 'true', result: 1 }],
  ['a tool.result that failed, without error', { type: 'tool.result', id: 1, ok: false }],
  [
    'a tool.result whose error has no code',
    { type: 'tool.result', id: 1, ok: false, error: { message: 'm' } },
  ],
  [
    'a tool.result whose error has no message',
    { type: 'tool.result', id: 1, ok: false, error: { code: 'C' } },
  ],
  ['a tool.result whose error is a string', { type: 'tool.result', id: 1, ok: false, error: 'failed' }],
  ['a cancel of another executionId', { type: 'cancel', executionId: 'e-2' }],
  ['a cancel without executionId', { type: 'cancel' }],
  ['a cancel whose executionId is no string', { type: 'cancel', executionId: 1 }],
  ['a frame of another version', { version: 'code-bridge-v2', type: 'tool.result', id: 1, ok: true }],
  ['a frame without version', { version: undefined, type: 'tool.result', id: 1, ok: true }],
  ['a frame without type', { id: 1, ok: true }],
];

const protocolFailures = section('frames: protocol failures', [], (add) => {
  for (const [name, frame] of failures) {
    add(`${name} is kind internal, whatever the program catches`, async (bench) => {
      const code = 'try { await tools.t() } catch {} return "fine"';
      const conversation = bench.execute({ code, tools: ['t'] });
      await conversation.frame('tool.call');
      assert.equal((await conversation.send(frame).ended()).terminal?.error?.kind, 'internal');
    });
  }

  add('the same tool.result twice is kind internal', async (bench) => {
    const code = 'await tools.t(); await tools.t(); return "fine"';
    const conversation = bench.execute({ code, tools: ['t'] });
    const { id } = await conversation.frame('tool.call');
    conversation.answer(id, 1);
    await conversation.frame('tool.call', 1);
    assert.equal((await conversation.answer(id, 1).ended()).terminal?.error?.kind, 'internal');
  });

  add('a tool.result before any call is kind internal', async (bench) => {
    const code = 'for (const end = Date.now() + 2000; Date.now() < end; ); return 1';
    const conversation = bench.execute({ code, tools: ['t'] });
    await conversation.frame('ready');
    assert.equal((await conversation.answer(1, null).ended()).terminal?.error?.kind, 'internal');
  });
});

const execute = section('frames: execute', [], (add) => {
  for (const [name, members, field] of refused) {
    add(`refused with exit code 1 and the field named on stderr: ${name}`, async (bench) => {
      const conversation = bench.start().send({ ...executeFrame(), ...members });
      const { exitCode, frames, stderr } = await conversation.ended();
      assert.equal(exitCode, 1);
      assert.equal(frames.length, 0);
      assert.ok(stderr.includes(field), `stderr does not name ${field}: ${stderr}`);
    });
  }

  for (const [name, members] of accepted) {
    add(`accepted: ${name}`, async (bench) => {
      const { terminal } = await bench.execute(members).ended();
      assert.equal(terminal?.result, 1);
    });
  }

  add('limits.timeoutMs: 1 is accepted, and is a deadline', async (bench) => {
    const error = await bench.error('for (;;);', { limits: { timeoutMs: 1 } });
    assert.equal(error.kind, 'timeout');
  });

  add('of a tool the runner uses its name; other members are the host’s', async (bench) => {
    const tools = [{ name: 't', description: 'd', inputSchema: { type: 'object' }, effect: null }];
    const conversation = bench
      .start()
      .agree({ executionId: 'e-1', toolNames: ['t'], limits: {}, features: [] });
    conversation.send({ ...executeFrame({ code: 'return Object.keys(tools)' }), tools });
    assert.deepEqual((await conversation.ended()).terminal?.result, ['t']);
  });

  add('code of any characters arrives as it was sent', async (bench) => {
    const text = '😀\u2028é\t\u0007\ud800';
    const code = `/* ${text} */ return ${JSON.stringify(text)}.length`;
    assert.equal(await bench.value(code), text.length);
  });
});

const ready = section('frames: ready', [], (add) => {
  add('answers with executionId, runnerVersion and the three limits', async (bench) => {
    const executionId = 'run/é 1';
    const { frames } = await bench.run('return 1', { executionId });
    const [first] = frames;
    assert.equal(first?.type, 'ready');
    assert.equal(first.executionId, executionId);
    assert.notEqual(first.runnerVersion, '');
  });

  const options = ['--max-calls', '12', '--max-result-bytes', '5000', '--timeout-ms', '3000'];
  const ceilings = { maxToolCalls: 12, maxResultBytes: 5000, timeoutMs: 3000 };
  for (const key of ['maxToolCalls', 'maxResultBytes', 'timeoutMs'] as const) {
    for (const [name, requested, expected] of [
      ['the request, where that is smaller', ceilings[key] - 1, ceilings[key] - 1],
      ['either, where they are equal', ceilings[key], ceilings[key]],
      ['the ceiling of the command line, where that is smaller', 1_000_000, ceilings[key]],
    ] as const) {
      add(`effectiveLimits.${key} is ${name}`, async (bench) => {
        const { frames } = await bench.run('return 1', { limits: { [key]: requested }, setup: { options } });
        assert.equal(frames[0]?.effectiveLimits?.[key], expected);
      });
    }
  }

  add('is sent before any generated code runs', async (bench) => {
    const conversation = bench.execute({ code: 'for (;;);' });
    await conversation.frame('ready');
    assert.equal((await conversation.cancel().ended()).terminal?.error?.kind, 'cancelled');
  });

  add('is sent for a program that does not compile', async (bench) => {
    const { frames } = await bench.run('return )');
    assert.deepEqual(
      frames.map((frame) => frame.type),
      ['ready', 'execution.result'],
    );
  });
});

const calls = section('frames: tool.call and tool.result', [], (add) => {
  add('ids are integers from 1 upward', async (bench) => {
    const code = 'for (let i = 0; i < 5; i++) await tools.t(); return 1';
    const { frames } = await bench.run(code, { tools: { t: () => null } });
    assert.deepEqual(
      frames.flatMap(({ type, id }) => (type === 'tool.call' ? [id] : [])),
      [1, 2, 3, 4, 5],
    );
  });

  for (const name of [
    'math.double',
    'a-b',
    '3d',
    'constructor',
    '__proto__',
    'then',
    'é 😀\u2028"\\',
    'x\ny',
  ]) {
    add(`a tool is called by its name, verbatim: ${JSON.stringify(name)}`, async (bench) => {
      const code = `return await tools[${JSON.stringify(name)}]({})`;
      const conversation = bench.execute({ code, tools: [name] });
      const call = await conversation.frame('tool.call');
      assert.equal(call.name, name);
      assert.equal((await conversation.answer(call.id, 'done').ended()).terminal?.result, 'done');
    });
  }

  add('arguments are the object that was given', async (bench) => {
    const input = { text: '\u0000\u2028"😀', list: [1, -0.5, null, [{}]], nested: { __proto__x: true } };
    const code = `return await tools.t(${JSON.stringify(input)})`;
    assert.deepEqual(await bench.value(code, { tools: { t: (value) => value } }), input);
  });

  add('a key __proto__ is a key like any other, in both directions', async (bench) => {
    const conversation = bench.execute({
      code: `const given = await tools.t(JSON.parse('{"__proto__":{"a":1}}'));
        return [Object.keys(given), Object.getPrototypeOf(given) === Object.prototype, given.polluted]`,
      tools: ['t'],
    });
    const call = await conversation.frame('tool.call');
    assert.equal(JSON.stringify(call.arguments), '{"__proto__":{"a":1}}');
    conversation
      .answered(call.id)
      .write(
        `{"version":"${VERSION}","type":"tool.result","id":1,"ok":true,"result":{"__proto__":{"polluted":1}}}\n`,
      );
    assert.deepEqual((await conversation.ended()).terminal?.result, [['__proto__'], true, null]);
  });

  add('in the base, a tool called without an argument sends {}', async (bench) => {
    const code = 'await tools.t(); await tools.t(undefined); return 1';
    const { frames } = await bench.run(code, { tools: { t: () => null } });
    const sent = frames.flatMap((frame) => (frame.type === 'tool.call' ? [frame.arguments] : []));
    assert.deepEqual(sent, [{}, {}]);
  });

  add('result absent means null', async (bench) => {
    assert.equal(await bench.value('return await tools.t()', { tools: { t: () => undefined } }), null);
  });

  for (const value of [null, false, 0, '', [], {}, 'text', 1e300, [[null, { a: [] }]]]) {
    add(`result may be any JSON value: ${JSON.stringify(value)}`, async (bench) => {
      assert.deepEqual(await bench.value('return await tools.t()', { tools: { t: () => value } }), value);
    });
  }

  add('one outstanding call at a time; further ones queue, in order', async (bench) => {
    const conversation = bench.execute({
      code: 'return Promise.all([1, 2, 3].map((n) => tools.t({ n })))',
      tools: ['t'],
    });
    for (let n = 1; n <= 3; n++) {
      const call = await conversation.frame('tool.call', n - 1);
      assert.deepEqual([call.id, call.arguments], [n, { n }]);
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.equal(conversation.frames.filter((frame) => frame.type === 'tool.call').length, n);
      conversation.answer(call.id, n * 10);
    }
    assert.deepEqual((await conversation.ended()).terminal?.result, [10, 20, 30]);
  });

  add('unknown members of a frame are ignored', async (bench) => {
    const conversation = bench.execute({
      code: 'return await tools.t()',
      tools: ['t'],
      later: { deep: [{}] },
      limits: { maxLaterThings: 'many' },
    });
    const { id } = await conversation.frame('tool.call');
    conversation
      .answered(id)
      .send({ type: 'tool.result', id, ok: true, result: 2, later: [], executionId: 9 });
    assert.equal((await conversation.ended()).terminal?.result, 2);
  });

  add('a call that is still open when the program settles does not hold it up', async (bench) => {
    const conversation = bench.execute({ code: 'tools.t(); return 1', tools: ['t'] });
    assert.equal((await conversation.ended()).terminal?.result, 1);
  });
});

const cancel = section('frames: cancel', [], (add) => {
  add('ends the run with kind cancelled', async (bench) => {
    const conversation = bench.execute({ code: 'await tools.t()', tools: ['t'] });
    await conversation.frame('tool.call');
    assert.equal((await conversation.cancel().ended()).terminal?.error?.kind, 'cancelled');
  });

  add('twice is the same as once', async (bench) => {
    const conversation = bench.execute({ code: 'await tools.t()', tools: ['t'] });
    await conversation.frame('tool.call');
    assert.equal((await conversation.cancel().cancel().ended()).terminal?.error?.kind, 'cancelled');
  });

  add('names the executionId, whatever its characters', async (bench) => {
    const executionId = 'é/"\\\u2028';
    const conversation = bench.execute({ code: 'for (;;);', executionId });
    await conversation.frame('ready');
    assert.equal((await conversation.cancel(executionId).ended()).terminal?.error?.kind, 'cancelled');
  });
});

const terminal = section('frames: execution.result', [], (add) => {
  for (const value of [null, true, 0, -1.5, 1e21, '', 'é😀\u2028', [], [1, [2]], {}, { a: { b: [] } }]) {
    add(`carries any JSON value: ${JSON.stringify(value)}`, async (bench) => {
      assert.deepEqual(await bench.value(`return ${JSON.stringify(value)}`), value);
    });
  }

  for (const [name, code] of [
    ['no return', 'await 1'],
    ['return without a value', 'return'],
    ['return undefined', 'return undefined'],
  ] as const) {
    add(`in the base, an undefined result is result: null: ${name}`, async (bench) => {
      assert.equal(await bench.value(code), null);
    });
  }

  add('metrics say how long the run took and how many calls it made', async (bench) => {
    const tools = { t: () => new Promise((resolve) => setTimeout(() => resolve(null), 120)) };
    const { metrics } = await bench.terminal('await tools.t(); await tools.t(); return 1', { tools });
    assert.equal(metrics?.toolCalls, 2);
    assert.ok(metrics.elapsedMs >= 200 && metrics.elapsedMs < 20_000, `elapsedMs is ${metrics.elapsedMs}`);
  });

  add('a failure has metrics too', async (bench) => {
    const code = 'await tools.t(); throw new Error()';
    const { metrics } = await bench.terminal(code, { tools: { t: () => null } });
    assert.equal(metrics?.toolCalls, 1);
  });
});

export const frames = [execute, ready, calls, cancel, terminal, protocolFailures];
