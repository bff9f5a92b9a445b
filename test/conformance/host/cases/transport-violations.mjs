// A runner that breaks the rules of the transport: the host must not say ok, and must not wait for ever.
import { notOk, section } from '../case.mjs';

/** @param {number[]} bytes */
const inString = (...bytes) =>
  Buffer.concat([
    Buffer.from('{"version":"code-bridge-v1","type":"log","a":"'),
    Buffer.from(bytes),
    Buffer.from('"}\n'),
  ]);
const start = '{"version":"code-bridge-v1","type":"ready"';

/** @type {[string, string | Buffer][]} */
const lines = [
  ['no JSON', 'hello\n'],
  ['an empty line', '\n'],
  ['an array', '[]\n'],
  ['a string', '"ready"\n'],
  ['null', 'null\n'],
  ['JSON that is cut off', `${start}\n`],
  ['two objects in a line', '{} {}\n'],
  ['a trailing comma', `${start},}\n`],
  ['a NUL byte', inString(0)],
  ['invalid UTF-8', inString(0xff)],
  ['a surrogate in UTF-8', inString(0xed, 0xa0, 0x80)],
  ['an overlong form of UTF-8', inString(0xc0, 0xaf)],
  ['a byte order mark', `\ufeff${start}}\n`],
  ['513 levels', `${start},"a":${'['.repeat(512)}${']'.repeat(512)}}\n`],
  ['a frame over the frame limit', `${start},"a":"${'x'.repeat(1_048_576)}"}\n`],
];

const rejected = section('host: transport', (add) => {
  for (const [name, bytes] of lines) {
    add(`${name}, in the place of ready`, notOk, async (peer) => {
      await peer.execute();
      peer.write(bytes);
      await peer.pause(50);
      peer.say(await peer.readyFrame());
      await peer.finish(1);
    });

    add(`${name}, behind ready, with a good terminal frame in the same write`, notOk, async (peer) => {
      await peer.ready();
      const terminal = Buffer.from(peer.text(await peer.terminalFrame(1)));
      peer.write(Buffer.concat([Buffer.from(bytes), terminal]));
    });
  }

  add('a frame over the frame limit whose newline never comes', notOk, async (peer) => {
    await peer.ready();
    peer.write('x'.repeat(1_048_577));
    // The host must notice by itself: this runner stays until it is stopped, or hung up on.
    await peer.ended();
    await peer.pause(60_000);
  });

  for (const [name, from, to] of [
    ['at the top', '"ok":true', '"ok":false,"ok":true'],
    ['of one key that is escaped', '"ok":true', '"ok":false,"\\u006fk":true'],
    ['at depth', '"toolCalls":0', '"toolCalls":0,"deep":[{"a":{"b":1,"b":1}}],"x":0'],
    ['in the result', '"result":1', '"result":[{"a":1,"c":{},"a":2}]'],
    ['with the same value', '"ok":true', '"ok":true,"ok":true'],
  ]) {
    add(`duplicate keys ${name}`, notOk, async (peer) => {
      await peer.ready();
      peer.write(peer.text(await peer.terminalFrame(1)).replace(from ?? '', to ?? ''));
    });
  }
});

export const transportViolations = rejected;
