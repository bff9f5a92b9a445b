/**
 * A guest that changes what the runner has left in its memory, or what its engine hands over: the runner takes nothing on
 * trust that comes out of linear memory, and what it cannot believe ends the run.
 */
import assert from 'node:assert/strict';
import {
  attempt,
  closeLauncher,
  corruptionError,
  corruptionResult,
  each,
  OUTSIDE,
  terminalOf,
  trapped,
} from './helper.js';

const CHANGED_CALL = /^the engine had to stop the program: it changed a call that waited for its turn$/;

/** Two calls that are open, and a third that waits for its turn; `change` runs meanwhile, and knows where its text is. */
const withWaitingCall = (change: string): string => `
  const calls = [tools.a({ n: 1 }), tools.a({ n: 2 }), tools.a({ marker: 'QQQQ-waits-QQQQ' })];
  const places = find(ascii('{"marker":"QQQQ-waits-QQQQ"}'));
  ${change}
  await Promise.all(calls);
  return places.length;
`;

const tools = { a: () => null };

after(closeLauncher);

describe('corruption: values that the runner takes out of linear memory', () => {
  it('a call that waits for its turn is sent as it was', async () => {
    const ending = await attempt(withWaitingCall(''), { tools });
    assert.ok((terminalOf(ending).result as number) > 0, 'its text is in the memory of the guest');
    const last = ending.frames.filter(({ type }) => type === 'tool.call').at(-1);
    assert.deepEqual(last?.arguments, { marker: 'QQQQ-waits-QQQQ' });
  });

  it('its text cannot be made to end the frame and to begin another', async () => {
    for (const text of ['{"a":"12345678"}\\n{"b":1234}', '{\\n"a":"Q-waits-QQQQabcdef"}'])
      await trapped(
        withWaitingCall(`places.forEach((at) => write(at, '${text.padEnd(29)}'));`),
        CHANGED_CALL,
        {
          tools,
        },
      );
  });

  it('its text cannot be made to be no JSON, or none of an object', async () => {
    for (const text of ['[1]', '"x"', '{"a":"', 'null', '{"a":1}{"b":2}', '{"a":01}', '{"a":1,"a":2}', '\\0'])
      await trapped(
        withWaitingCall(`places.forEach((at) => write(at, '${text}'.padEnd(29)));`),
        CHANGED_CALL,
        {
          tools,
        },
      );
  });

  it('an object in its place is not asked for its text', async () => {
    const change = `
      let made = 0;
      const trick = { toString() { made++; tools.a({ n: 4 }); tools.a({ n: 5 }); return '{}'; } };
      const isHeader = (word) => places.some((at) => word < at && word >= at - 32);
      for (const at of findWords((word, at) => isHeader(word) && corrupt.load32(at + 4) === 0xfffffff9)) {
        corrupt.store32(at, corrupt.address(trick));
        corrupt.store32(at + 4, 0xffffffff);
      }
    `;
    const ending = await attempt(withWaitingCall(change), { tools });
    const { error } = terminalOf(ending);
    assert.equal(error?.kind, 'javascript');
    assert.match(error.message, CHANGED_CALL);
    assert.equal(ending.frames.filter(({ type }) => type === 'tool.call').length, 2);
  });

  it('a number whose digits the engine no longer knows does not reach a frame', async () => {
    const change = (digit: string): string =>
      `find(ascii('0123456789abcdef'), 1, DATA + 2 * PAGE).forEach((at) => corrupt.store8(at + 5, ${digit}.charCodeAt())); `;
    for (const digit of [`'\\n'`, `'"'`, `'}'`, `'-'`, `'\\0'`]) {
      await each(['return 0.5;', 'return { a: [1.25] };', 'await tools.a({ n: 1.5 });'], async (code) => {
        const { frames, malformed } = await attempt(`${change(digit)}${code}`, { tools });
        assert.deepEqual(malformed, []);
        const { ok, error } = frames.at(-1) ?? {};
        assert.ok(ok || /a number that is none/.test(error?.message ?? ''), JSON.stringify(error));
      });
    }
  });

  it('values of any tag are refused, or are a trap', async () => {
    await each(
      Array.from({ length: 18 }, (_, i) => i - 9),
      async (tag) => {
        for (const low of ['4', '0xfffffff0', 'corrupt.address({})']) {
          const forged = `corrupt.forge(${tag}, ${low})`;
          for (const use of [
            `return ${forged};`,
            `return [${forged}];`,
            `await tools.a({ a: ${forged} });`,
            `throw ${forged};`,
          ]) {
            const { error, ok } = terminalOf(await attempt(use, { tools }));
            assert.ok(
              ok || ['javascript', 'result', 'memory'].includes(error?.kind ?? ''),
              JSON.stringify(error),
            );
          }
        }
      },
    );
  });

  it('a string that says that it is longer than memory is a trap', async () => {
    const code = (use: string): string => `
      const text = 'QQ' + String(tools).length + 'QQ-length-of-a-string';
      const at = corrupt.address(text);
      for (let i = -8; i < 24; i += 4) if (corrupt.load32(at + i) % 0x20000000 === text.length) corrupt.store32(at + i, 0x1fffffff);
      ${use}
    `;
    for (const use of [
      'return text;',
      'console.log(text);',
      'await tools.a({ text });',
      'throw new Error(text);',
    ]) {
      const { error } = terminalOf(await attempt(code(use), { tools }));
      assert.ok(['javascript', 'memory'].includes(error?.kind ?? ''), JSON.stringify(error));
    }
  });

  it('a typed array that says that it is larger than memory gives no bytes beyond it, and takes none', async () => {
    const code = (use: string): string => `
      const bytes = new Uint8Array(40000);
      const at = corrupt.address(bytes);
      const enlarge = (from) => {
        for (let i = 0; i < 64; i += 4) if (corrupt.load32(from + i) === 40000) corrupt.store32(from + i, 0x70000000);
      };
      for (let i = 0; i < 64; i += 4) {
        const inner = corrupt.load32(at + i);
        if (inner > DATA && inner < end() - 64) enlarge(inner);
      }
      enlarge(at);
      ${use}
    `;
    await trapped(code('return bytes[0x6f000000];'), OUTSIDE);
    await trapped(code('bytes[0x6f000000] = 1;'), OUTSIDE);
    for (const use of [
      'return new TextDecoder().decode(bytes).length;',
      'bytes.fill(1);',
      'bytes.slice();',
    ]) {
      const { ok, error } = terminalOf(await attempt(code(use)));
      assert.ok(ok || ['javascript', 'memory'].includes(error?.kind ?? ''), JSON.stringify(error));
    }
  });

  it('bytecode that was overwritten ends in a known way', async () => {
    await each(
      Array.from({ length: 64 }, (_, i) => i * 4),
      async (byte) => {
        const { error, ok } = terminalOf(
          await attempt(
            `const work = (a, b) => { let sum = 0; for (let i = 0; i < 100; i++) sum += a[i % 3] * b; return String(sum); };
            const at = corrupt.address(work);
            for (let i = 0; i < 96; i += 4) {
              const inner = corrupt.load32(at + i);
              if (inner > 0x100000 && inner < end() - 512) for (let j = 0; j < 256; j++) corrupt.store8(inner + j, ${byte});
            }
            return work([1, 2, 3], 4);`,
            { limits: { timeoutMs: 2_000 } },
          ),
        );
        assert.ok(
          ok || ['javascript', 'memory', 'timeout', 'result'].includes(error?.kind ?? ''),
          JSON.stringify(error),
        );
      },
    );
  });

  it('the bounds of a run are not in the memory of the guest', async () => {
    const error = await corruptionError(
      `const limit = [12345, 0]; for (const at of findWords((word) => word === 12345)) corrupt.store32(at, 0x7fffffff);
      for (let i = 0; i < 20; i++) await tools.a({ i });`,
      { tools, limits: { maxToolCalls: 10, timeoutMs: 12_345 } },
    );
    assert.equal(error.kind, 'limit');
    assert.equal(error.limit, 10);
    assert.equal(await corruptionResult('return 1;'), 1);
  });
});
