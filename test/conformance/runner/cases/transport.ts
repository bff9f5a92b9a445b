/** The section "Transport" of code-bridge-v1, from a runner's side. */
import assert from 'node:assert/strict';
import { DEFAULT_FRAME_BYTES, encodeFrame, VERSION } from '../../wire/frames.js';
import { executeFrame, section } from '../suite.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const bytesOf = (...values: number[]): Buffer => Buffer.from(values);
const inString = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"a":"'), bytes, Buffer.from('"}\n')]);
const execute = JSON.stringify(executeFrame());
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const result = (members: string): string => `{"version":"${VERSION}","type":"tool.result",${members}}\n`;

/** Lines that are no frame at all, wherever they come. */
const rejected: [string, string | Buffer][] = [
  ['NUL bytes', inString(bytesOf(0))],
  ['a NUL byte between frames', Buffer.from(`\0${execute}\n`)],
  ['invalid UTF-8: a byte that never occurs', inString(bytesOf(0xff))],
  ['invalid UTF-8: a continuation byte alone', inString(bytesOf(0x80))],
  ['invalid UTF-8: a sequence that is cut off', inString(bytesOf(0xf0, 0x9f, 0x98))],
  ['invalid UTF-8: an overlong form', inString(bytesOf(0xc0, 0xaf))],
  ['invalid UTF-8: an overlong form of three bytes', inString(bytesOf(0xe0, 0x80, 0xaf))],
  ['invalid UTF-8: a surrogate', inString(bytesOf(0xed, 0xa0, 0x80))],
  ['invalid UTF-8: a code point over U+10FFFF', inString(bytesOf(0xf4, 0x90, 0x80, 0x80))],
  ['duplicate keys', `{"a":1,"a":1}\n`],
  ['duplicate keys at depth', '{"a":[0,{"b":{"c":1,"d":2,"c":3}}]}\n'],
  ['duplicate keys, one of them escaped', '{"abc":1,"\\u0061bc":2}\n'],
  ['duplicate empty keys', '{"":1,"":2}\n'],
  ['anything but an object: an array', '[]\n'],
  ['anything but an object: a string', '"execute"\n'],
  ['anything but an object: null', 'null\n'],
  ['anything but an object: a number', '1\n'],
  ['anything but an object: an empty line', '\n'],
  ['anything but an object: two objects', '{} {}\n'],
  ['anything but an object: no JSON', 'hello\n'],
  ['anything but an object: a trailing comma', '{"a":1,}\n'],
  ['anything but an object: a number with a leading zero', '{"a":01}\n'],
  ['anything but an object: a raw line break in a string', '{"a":"\r"}\n'],
  ['anything but an object: an unknown escape', '{"a":"\\x41"}\n'],
  ['anything but an object: a byte order mark before it', '\ufeff{}\n'],
  ['nesting over 512 levels', `{"a":${nested(512)}}\n`],
  ['nesting over 512 levels, of objects', `${'{"a":'.repeat(513)}1${'}'.repeat(513)}\n`],
];

export const transport = section('transport', [], (add) => {
  add('the child has the socket as descriptor 3', async (bench) => {
    assert.equal(await bench.value('return 6 * 7'), 42);
  });

  add('--fd names another descriptor', async (bench) => {
    const setup = { options: ['--fd', '7'], descriptor: 7 };
    assert.equal(await bench.value('return 6 * 7', { setup }), 42);
  });

  add('one UTF-8 JSON object per line, ended by the byte 0x0A', async (bench) => {
    const text = 'line\nbreak, "quote", \\, é, 😀, \u2028';
    assert.equal(await bench.value(`return ${JSON.stringify(text)}`), text);
  });

  add('a frame may come in two writes, split inside a 4-byte character', async (bench) => {
    const conversation = bench.begin({ code: "return '😀'" }, undefined, async (bytes, { write }) => {
      const middle = bytes.indexOf(Buffer.from('😀')) + 2;
      write(bytes.subarray(0, middle));
      await pause(50);
      write(bytes.subarray(middle));
    });
    assert.equal((await conversation.ended()).terminal?.result, '😀');
  });

  add('a frame may come one byte at a time', async (bench) => {
    const conversation = bench.begin({ code: "return '😀é'" }, undefined, async (bytes, { write }) => {
      for (const [index, byte] of bytes.entries()) {
        write(bytesOf(byte));
        // Each leaves by itself; now and then the runner gets time to read what there is.
        await new Promise((resolve) =>
          index % 32 === 0 ? setImmediate(resolve) : process.nextTick(resolve),
        );
      }
    });
    assert.equal((await conversation.ended()).terminal?.result, '😀é');
  });

  add('a tool.result may come split inside a 4-byte character', async (bench) => {
    const conversation = bench.execute({ code: 'return await tools.t()', tools: ['t'] });
    const { id } = await conversation.frame('tool.call');
    const bytes = Buffer.from(result(`"id":${id},"ok":true,"result":"😀"`));
    const middle = bytes.indexOf(Buffer.from('😀')) + 1;
    conversation.answered(id).write(bytes.subarray(0, middle));
    await pause(50);
    conversation.write(bytes.subarray(middle));
    assert.equal((await conversation.ended()).terminal?.result, '😀');
  });

  add('two frames may come in one write', async (bench) => {
    const cancel = encodeFrame({ version: VERSION, type: 'cancel', executionId: 'e-1' });
    const conversation = bench.begin({ code: 'for (;;);' }, undefined, (bytes, { write }) =>
      write(Buffer.concat([bytes, cancel])),
    );
    assert.equal((await conversation.ended()).terminal?.error?.kind, 'cancelled');
  });

  for (const [name, character] of [
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
    ['U+0085', '\u0085'],
  ] as const) {
    add(`${name} is legal inside a JSON string: frames are split at 0x0A alone`, async (bench) => {
      const code = `const given = await tools.t(); return [given, '${character}']`;
      assert.deepEqual(await bench.value(code, { tools: { t: () => character } }), [character, character]);
    });
  }

  add('white space of JSON around and inside a frame means nothing', async (bench) => {
    const text = ` \t\r${JSON.stringify(executeFrame()).replaceAll('":', '" :\r\t')} \r\n`;
    const conversation = bench.begin({}, undefined, (_bytes, { write }) => write(text));
    assert.equal((await conversation.ended()).terminal?.result, 1);
  });

  add('an escaped NUL is no NUL byte', async (bench) => {
    const code = "return ['\u0000'.length, await tools.t()]";
    assert.deepEqual(await bench.value(code, { tools: { t: () => '\u0000' } }), [1, '\u0000']);
  });

  add('the same key in two different objects is no duplicate', async (bench) => {
    const later = [{ a: { a: 1 } }, { a: 2 }];
    assert.equal(await bench.value('return 1', { later }), 1);
  });

  for (const [name, bytes] of rejected) {
    add(`rejected as the first frame: ${name}`, async (bench) => {
      const { exitCode, frames, stderr } = await bench.start().write(bytes).ended();
      assert.equal(exitCode, 2);
      assert.equal(frames.length, 0);
      assert.notEqual(stderr, '', 'there is no diagnosis on stderr');
    });

    add(`rejected while the program waits for a tool: ${name}`, async (bench) => {
      const code = 'try { await tools.t() } catch {} return 1';
      const conversation = bench.execute({ code, tools: ['t'] });
      await conversation.frame('tool.call');
      const { terminal } = await conversation.write(bytes).ended();
      assert.equal(terminal?.error?.kind, 'internal');
    });
  }

  add('nesting of 512 levels is accepted', async (bench) => {
    const conversation = bench.begin(
      { code: 'return await tools.t()', tools: ['t'] },
      undefined,
      (_bytes, { write }) => {
        const frame = JSON.stringify(executeFrame({ code: 'return (await tools.t()).length', tools: ['t'] }));
        return write(`${frame.slice(0, -1)},"later":${nested(511)}}\n`);
      },
    );
    const { id } = await conversation.frame('tool.call');
    conversation.answered(id).write(result(`"id":${id},"ok":true,"result":${nested(511)}`));
    assert.equal((await conversation.ended()).terminal?.result, 1);
  });

  add('a first frame of exactly max-frame-bytes is accepted, its newline not counted', async (bench) => {
    const padding = 3000 - encodeFrame(executeFrame({ padding: '' })).length + 1;
    const setup = { options: ['--max-frame-bytes', '3000', '--timeout-ms', '30000'] };
    assert.equal(await bench.value('return 1', { padding: 'x'.repeat(padding), setup }), 1);
  });

  add('a first frame over max-frame-bytes is rejected', async (bench) => {
    const padding = 3001 - encodeFrame(executeFrame({ padding: '' })).length + 1;
    const frame = executeFrame({ padding: 'x'.repeat(padding) });
    const conversation = bench.start({ options: ['--max-frame-bytes', '3000', '--timeout-ms', '30000'] });
    assert.equal((await conversation.write(encodeFrame(frame)).ended()).exitCode, 2);
  });

  add('a first frame over max-frame-bytes is rejected before its newline comes', async (bench) => {
    const conversation = bench.start({ options: ['--max-frame-bytes', '3000', '--timeout-ms', '30000'] });
    assert.equal((await conversation.write('x'.repeat(3001)).ended()).exitCode, 2);
  });

  add('without --max-frame-bytes the frame limit is 1048576', async (bench) => {
    const padding = DEFAULT_FRAME_BYTES - encodeFrame(executeFrame({ padding: '' })).length + 1;
    assert.equal(await bench.value('return 1', { padding: 'x'.repeat(padding), setup: {} }), 1);
    const frame = executeFrame({ padding: 'x'.repeat(padding + 1) });
    assert.equal((await bench.start().write(encodeFrame(frame)).ended()).exitCode, 2);
  });

  for (const [name, more, expected] of [
    ['exactly max-frame-bytes is accepted', 0, undefined],
    ['more than max-frame-bytes is rejected', 1, 'internal'],
  ] as const) {
    add(`a tool.result of ${name}`, async (bench) => {
      const conversation = bench.execute(
        { code: 'return (await tools.t()).length > 1000', tools: ['t'] },
        { options: ['--max-frame-bytes', '3000', '--timeout-ms', '30000'] },
      );
      const { id } = await conversation.frame('tool.call');
      const empty = result(`"id":${id},"ok":true,"result":""`).length - 1;
      const text = 'x'.repeat(3000 - empty + more);
      conversation.answered(id).write(result(`"id":${id},"ok":true,"result":"${text}"`));
      const { terminal } = await conversation.ended();
      assert.equal(terminal?.error?.kind, expected);
    });
  }

  add('the same rule in both directions: no tool.call is over max-frame-bytes', async (bench) => {
    const code = `let sent = 0;
      for (const length of [1000, 2700, 2800, 2900, 2950, 2990, 3000, 3100, 10000]) {
        try { await tools.t({ text: 'x'.repeat(length) }); sent++ } catch {}
      }
      return sent`;
    const setup = { options: ['--max-frame-bytes', '3000', '--timeout-ms', '30000'] };
    // That no frame is over the limit is checked with each frame.
    const sent = await bench.value(code, { tools: { t: () => null }, setup });
    assert.ok(Number(sent) >= 1, `${sent} calls were made`);
  });

  add('one process, one execute: a second one is a protocol failure', async (bench) => {
    const conversation = bench.execute({ code: 'try { await tools.t() } catch {} return 1', tools: ['t'] });
    await conversation.frame('tool.call');
    assert.equal((await conversation.send(executeFrame()).ended()).terminal?.error?.kind, 'internal');
  });

  add(
    'host EOF before the terminal frame cancels the run, whose terminal frame is still sent',
    async (bench) => {
      const conversation = bench.execute({ code: 'await tools.t()', tools: ['t'] });
      await conversation.frame('tool.call');
      assert.equal((await conversation.endInput().ended()).terminal?.error?.kind, 'cancelled');
    },
  );

  add('host EOF directly behind execute cancels the run', async (bench) => {
    const conversation = bench.execute({ code: 'for (;;);' }).endInput();
    assert.equal((await conversation.ended()).terminal?.error?.kind, 'cancelled');
  });
});
