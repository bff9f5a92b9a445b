import assert from 'node:assert/strict';
import { executeFrame, Runner } from './helper.js';

const good = executeFrame({ code: 'return 1' });

/* Content that is refused: exit 1, no frame, and a diagnosis that names the field. */
const refused: [string, Record<string, unknown>, RegExp][] = [
  ['another version', { version: 'code-bridge-v2' }, /version/],
  ['another type', { type: 'cancel' }, /type/],
  ['an execution id that is no string', { executionId: 7 }, /executionId/],
  ['code that is no string', { code: null }, /code/],
  ['empty code', { code: '' }, /code/],
  ['tools that are no array', { tools: {} }, /tools/],
  ['a tool that is no object', { tools: ['t'] }, /tools/],
  ['a tool without a name', { tools: [{}] }, /tools\[\]\.name/],
  ['an empty name', { tools: [{ name: '' }] }, /tools\[\]\.name/],
  ['a name of 257 bytes', { tools: [{ name: `${'é'.repeat(128)}x` }] }, /tools\[\]\.name/],
  ['a name with NUL', { tools: [{ name: 'a\u0000b' }] }, /tools\[\]\.name/],
  ['the same name twice', { tools: [{ name: 't' }, { name: 't' }] }, /tools\[\]\.name.*unique/],
  ['513 tools', { tools: Array.from({ length: 513 }, (_, i) => ({ name: `t${i}` })) }, /tools.*512/],
  ['no limits', { limits: undefined }, /limits/],
  ['a limit that is missing', { limits: { maxToolCalls: 1, timeoutMs: 1 } }, /limits\.maxResultBytes/],
  [
    'a negative limit',
    { limits: { maxToolCalls: -1, maxResultBytes: 1, timeoutMs: 1 } },
    /limits\.maxToolCalls/,
  ],
  [
    'a limit of no whole number',
    { limits: { maxToolCalls: 1, maxResultBytes: 1, timeoutMs: 1.5 } },
    /limits\.timeoutMs/,
  ],
  [
    'a limit that is a string',
    { limits: { maxToolCalls: '1', maxResultBytes: 1, timeoutMs: 1 } },
    /limits\.maxToolCalls/,
  ],
  ['features that are no strings', { features: [1] }, /features/],
];

/* Bytes that are no frame: exit 2. */
const unreadable: [string, string | Uint8Array][] = [
  ['no JSON', 'hello\n'],
  ['an empty line', '\n'],
  ['an array', '[]\n'],
  ['a NUL byte', '{"a":"\u0000"}\n'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d, 0x0a])],
  ['an overlong sequence', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d, 0x0a])],
  ['a raw surrogate', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d, 0x0a])],
  ['a duplicate key', `${JSON.stringify(good).slice(0, -1)},"code":"return 2"}\n`],
  ['a duplicate key that is escaped', `${JSON.stringify(good).slice(0, -1)},"c\\u006fde":"return 2"}\n`],
  ['a duplicate key deep inside', '{"a":[{"b":{"c":1,"d":2,"c":3}}]}\n'],
  ['513 levels', `${'{"a":'.repeat(513)}1${'}'.repeat(513)}\n`],
  ['a trailing comma', '{"a":1,}\n'],
  ['two values', '{} {}\n'],
  ['a number with a leading zero', '{"a":01}\n'],
];

describe('code-runner: refusals', () => {
  for (const [name, members, expected] of refused) {
    it(`refuses ${name}, naming the field`, async () => {
      const { exitCode, frames, stderr } = await new Runner().send({ ...good, ...members }).ended();
      assert.equal(exitCode, 1);
      assert.deepEqual(frames, []);
      assert.match(stderr, expected);
    });
  }

  for (const [name, bytes] of unreadable) {
    it(`cannot read ${name} as its first frame`, async () => {
      const { exitCode, frames, stderr } = await new Runner().write(bytes).ended();
      assert.equal(exitCode, 2);
      assert.deepEqual(frames, []);
      assert.match(stderr, /first frame/);
    });
  }

  it('accepts 512 levels', async () => {
    const deep = `${'{"a":'.repeat(511)}1${'}'.repeat(511)}`;
    const text = `${JSON.stringify(good).slice(0, -1)},"later":${deep}}\n`;
    assert.equal((await new Runner().write(text).ended()).terminal?.result, 1);
  });

  it('finds one duplicate among 100,000 keys in reasonable time', async () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `"k${i % 99_999}":0`);
    const { exitCode, stderr } = await new Runner(['--max-frame-bytes', '4000000'])
      .write(`{${keys}}\n`)
      .ended();
    assert.equal(exitCode, 2);
    assert.match(stderr, /same key twice/);
  });

  it('refuses a first frame over the frame limit, before its end', async () => {
    const { exitCode, stderr } = await new Runner(['--max-frame-bytes', '1000'])
      .write('x'.repeat(1001))
      .ended();
    assert.equal(exitCode, 2);
    assert.match(stderr, /longer than the limit of 1000 bytes/);
  });

  it('accepts a frame of exactly the frame limit', async () => {
    const frame = JSON.stringify({ ...good, later: 'x'.repeat(500) });
    const { terminal } = await new Runner(['--max-frame-bytes', `${frame.length}`])
      .write(`${frame}\n`)
      .ended();
    assert.equal(terminal?.result, 1);
  });

  it('exits with 2 when the host closes before the first frame', async () => {
    const { exitCode, stderr } = await new Runner().endInput().ended();
    assert.equal(exitCode, 2);
    assert.match(stderr, /closed the bridge/);
  });

  it('does not wait for the end of a first frame for longer than its ceiling of time', async () => {
    const { exitCode, stderr } = await new Runner(['--timeout-ms', '50']).write('{"version":').ended();
    assert.equal(exitCode, 2);
    assert.match(stderr, /within 50 ms/);
  });

  it('exits with 1 when no ready frame fits the frame limit', async () => {
    const executionId = 'x'.repeat(300);
    const frame = JSON.stringify({ ...good, executionId });
    const { exitCode, stderr } = await new Runner(['--max-frame-bytes', `${frame.length}`])
      .write(`${frame}\n`)
      .ended();
    assert.equal(exitCode, 1);
    assert.match(stderr, /no room/);
  });
});
