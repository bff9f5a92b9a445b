import assert from 'node:assert/strict';
import { ALL_FEATURES, executeFrame, Runner, VERSION } from './helper.js';

const result = (members: string) => `{"version":"${VERSION}","type":"tool.result",${members}}\n`;

/* What a host may not send while call 1 is open: kind internal, whatever the program catches. */
const abuses: [string, string | Uint8Array, RegExp][] = [
  ['no JSON', 'hello\n', /not a JSON object/],
  ['an array', '[]\n', /not a JSON object/],
  ['a NUL byte', `${result('"id":1,"ok":true,"result":"\u0000"')}`, /NUL/],
  [
    'invalid UTF-8',
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
    /UTF-8/,
  ],
  ['a duplicate key', result('"id":1,"ok":true,"result":1,"result":2'), /same key twice/],
  [
    'a duplicate key inside a result',
    result('"id":1,"ok":true,"result":[{"a":1,"\\u0061":2}]'),
    /same key twice/,
  ],
  ['513 levels', result(`"id":1,"ok":true,"result":${'['.repeat(512)}${']'.repeat(512)}`), /512 levels/],
  ['a frame over the limit', `${'x'.repeat(1_048_577)}`, /longer than the frame limit/],
  ['a second execute', `${JSON.stringify(executeFrame({ code: 'return 2' }))}\n`, /second execute/],
  ['another version', '{"version":"code-bridge-v2","type":"cancel"}\n', /version/],
  ['an unknown type', `{"version":"${VERSION}","type":"hello"}\n`, /unknown type/],
  ['no type', `{"version":"${VERSION}"}\n`, /unknown type/],
  [
    'a cancel of another execution',
    `{"version":"${VERSION}","type":"cancel","executionId":"e-2"}\n`,
    /another execution/,
  ],
  ['an answer to a call that was never made', result('"id":2,"ok":true'), /not open/],
  ['an answer without an id', result('"ok":true'), /no id/],
  ['an id that is no whole number', result('"id":1.5,"ok":true'), /no id/],
  ['an answer without ok', result('"id":1,"result":1'), /no ok/],
  ['a failure without an error', result('"id":1,"ok":false'), /no error/],
  [
    'a failure whose message is no string',
    result('"id":1,"ok":false,"error":{"code":"C","message":1}'),
    /no error/,
  ],
  ['the same answer twice', result('"id":1,"ok":true') + result('"id":1,"ok":true'), /not open/],
  ['9 frames at once', result('"id":1,"ok":true').repeat(9), /not open/],
];

describe('code-runner: a host that breaks the protocol', () => {
  for (const [name, bytes, expected] of abuses) {
    it(`reports ${name} as internal`, async () => {
      const code = 'try { await tools.t() } catch {} return "fine"';
      const runner = new Runner().send(executeFrame({ code, tools: ['t'] }));
      await runner.frame('tool.call');
      runner.write(bytes);
      const { terminal, exitCode } = await runner.ended();
      assert.equal(exitCode, 0);
      assert.equal(terminal?.error?.kind, 'internal');
      assert.match(terminal.error.message, expected);
    });
  }

  it('is noticed while the program is busy', async () => {
    const runner = new Runner(['--timeout-ms', '60000']);
    runner.send(
      executeFrame({ code: 'await tools.t(); for (;;);', tools: ['t'], limits: { timeoutMs: 60_000 } }),
    );
    runner.answer((await runner.frame('tool.call')).id, null).write('hello\n');
    assert.equal((await runner.ended()).terminal?.error?.kind, 'internal');
  });

  it('is not possible by answering many calls while the program is busy', async () => {
    const code = `const calls = Array.from({ length: 16 }, (_, i) => tools.t({ i }));
      await tools.go(); for (const end = Date.now() + 100; Date.now() < end; );
      return (await Promise.all(calls)).length`;
    const limits = { maxConcurrentToolCalls: 17 };
    const runner = new Runner().send(
      executeFrame({ code, tools: ['t', 'go'], features: ALL_FEATURES, limits }),
    );
    await runner.frame('tool.call', 15);
    for (let id = 1; id <= 16; id++) runner.answer(id, 'x'.repeat(1000));
    const last = await runner.frame('tool.call', 16);
    runner.answer(last.id, null);
    assert.equal((await runner.ended()).terminal?.result, 16);
  });

  it('cannot do it by large answers in any number', async () => {
    const code =
      'let total = 0; for (let i = 0; i < 40; i++) total += (await tools.t()).length; return total';
    const runner = new Runner().send(executeFrame({ code, tools: ['t'], features: ALL_FEATURES }));
    for (let i = 0; i < 40; i++) runner.answer((await runner.frame('tool.call', i)).id, 'x'.repeat(900_000));
    assert.equal((await runner.ended()).terminal?.result, 36_000_000);
  });
});
