import assert from 'node:assert/strict';
import { errorOf, run } from './helper.js';

const positions: [string, number, number][] = [
  ['\n\nnull.x', 3, 1],
  ['const a = 1;\n  undefinedName;', 2, 3],
  ['\n\n\nconst = 1', 4, 7],
  ['return 1 +\n;', 2, 1],
  ['if (true) {', 1, 12],
  ['const text = `\n\n`;\nnull.x', 4, 1],
  ['await null;\n[1].map((value) => {\n  return value.a.b;\n})', 3, 10],
  ['const f = async () => {\n  await null;\n  throw new Error("x");\n};\nawait f()', 3, 13],
  ['function f() {\n  return f() + 1;\n}\nf()', 2, 10],
  ['const a = 1;\r\nconst b = 2;\r\n  nope', 3, 3],
  ['const a = 1;\rconst b = 2;\r\r  nope', 4, 3],
  ['const t = `\r\r\n\n`;\r/* \r */ nope', 6, 5],
  ['const a = 1;\u2028  nope', 2, 3],
  ['const a = 1;\u2029\u2028\n  nope', 4, 3],
  ['const s = "\u2028"; const t = `\u2029`; // \u2029\n  nope', 5, 3],
  ["/* é😀 */ const s = 'é€😀'; nope", 1, 29],
  ["const s = '😀';\nconst é = '😀' + ;", 2, 18],
  ['return 1;\r}} {{', 2, 1],
  ['const ünïcode = 1; ünïcode.a.b', 1, 20],
];

const thrown: [string, RegExp][] = [
  ['throw 7', /no Error: 7$/],
  ["throw 'text'", /no Error: "text"$/],
  ['throw undefined', /no Error: undefined$/],
  ['throw null', /no Error: null$/],
  ["throw { code: 1, list: [1, 'a'] }", /no Error: \{ code: 1, list: \[ 1, "a" \] \}$/],
  ["throw Symbol('s')", /no Error: Symbol\(s\)$/],
  ['throw () => 1', /no Error: \[Function \(anonymous\)\]$/],
  [
    'throw new Proxy({}, { getPrototypeOf() { throw 1 }, ownKeys() { throw 2 } })',
    /no Error: \[a value that cannot be shown\]$/,
  ],
  ['throw new Error()', /an error without a message: Error$/],
  ['throw new TypeError()', /an error without a message: TypeError$/],
  ["throw new Error('')", /an error without a message: Error$/],
  ["await Promise.reject(new Error('from a promise'))", /^from a promise$/],
];

const codes: [string, string | undefined][] = [
  ["throw Object.assign(new Error('m'), { code: 'E_MINE' })", 'E_MINE'],
  ["class Mine extends Error { code = 'E_CLASS' } throw new Mine('m')", 'E_CLASS'],
  ["throw Object.assign(new Error('m'), { code: 7 })", undefined],
  ["throw { code: 'E_MINE' }", undefined],
  ["throw Object.defineProperty(new Error('m'), 'code', { get() { throw 1 } })", undefined],
];

const causes: [string, string][] = [
  ["throw new Error('m', { cause: new TypeError('why') })", 'm (caused by TypeError: why)'],
  ["throw new Error('m', { cause: 'text' })", 'm (caused by "text")'],
  [
    "throw new Error('a', { cause: new Error('b', { cause: { c: 1 } }) })",
    'a (caused by Error: b (caused by { c: 1 }))',
  ],
  ["throw new AggregateError([new RangeError('a'), 7], 'all')", 'all [RangeError: a; 7]'],
  [
    "await Promise.any([Promise.reject(new Error('a', { cause: 1 })), Promise.reject(2)])",
    'the program threw an error without a message: AggregateError [Error: a (caused by 1); 2]',
  ],
  [
    "throw new SuppressedError(new RangeError('a', { cause: 1 }), 'b', 'both')",
    'both [RangeError: a (caused by 1); suppressed: "b"]',
  ],
  [
    "{ using file = { [Symbol.dispose]() { throw new Error('close') } }; throw new Error('read') }",
    'the program threw an error without a message: SuppressedError [Error: close; suppressed: Error: read]',
  ],
  ["const e = new Error('m'); Object.defineProperty(e, 'cause', { get() { throw 1 } }); throw e", 'm'],
  ["throw new Error('m', { cause: undefined })", 'm (caused by undefined)'],
];

describe('code-runner: errors', () => {
  for (const [code, expected] of codes) {
    it(`has ${expected === undefined ? 'no code' : `the code ${expected}`} for ${code}`, async () => {
      assert.equal((await errorOf(code)).code, expected);
    });
  }

  it('has the code of a tool that failed', async () => {
    const tools = {
      t: () => {
        throw Object.assign(new Error('no'), { code: 'TOOL_FAILED' });
      },
    };
    const { code, message, position } = await errorOf('const a = 1;\nawait tools.t()', { tools });
    assert.deepEqual([code, message, position?.line], ['TOOL_FAILED', 'no', 2]);
  });

  for (const [code, expected] of causes) {
    it(`says what caused ${code}`, async () => {
      assert.equal((await errorOf(code)).message, expected);
    });
  }

  it('bounds causes: in a circle, and by the thousand', async () => {
    const circle = await errorOf("const e = new Error('m'); e.cause = e; throw e");
    assert.equal(circle.message, `m${' (caused by Error: m'.repeat(5)}${')'.repeat(5)}`);
    const many = await errorOf("throw new AggregateError(Array.from({ length: 1000 }, (_, i) => i), 'm')");
    assert.equal(many.message, 'm [0; 1; 2; 3; 4; 5; 6; 7; 8; 9; ... 990 more]');
  });

  it('has no code, causes in its message only, and no warnings in the base protocol', async () => {
    const code = "Promise.reject(1); throw Object.assign(new Error('m', { cause: 1 }), { code: 'E' })";
    const { terminal } = await run(code, { features: undefined });
    assert.deepEqual(terminal?.error, { kind: 'javascript', message: 'm (caused by 1)' });
    assert.ok(terminal && !('warnings' in terminal));
  });

  for (const [code, line, column] of positions) {
    it(`names line ${line}, column ${column} of ${JSON.stringify(code)}`, async () => {
      const { kind, position } = await errorOf(code);
      assert.equal(kind, 'javascript');
      assert.deepEqual(position, { line, column });
    });
  }

  for (const [code, message] of thrown) {
    it(`describes ${code}`, async () => {
      const error = await errorOf(code);
      assert.equal(error.kind, 'javascript');
      assert.match(error.message, message);
    });
  }

  it('has the name of the error, of a class of the program too', async () => {
    const code = "class Mine extends RangeError { name = 'Mine' }\nthrow new Mine('m')";
    const { name, message, position } = await errorOf(code);
    assert.deepEqual([name, message, position?.line], ['Mine', 'm', 2]);
  });

  it("shows the program's own frames only", async () => {
    const code =
      'function inner() {\n  throw new Error("x");\n}\nfunction outer() {\n  [1].forEach(inner);\n}\nouter();';
    const { stack = '' } = await errorOf(code);
    const lines = stack.split('\n').map((line) => line.replace(/:\d+\)?$/, '').trim());
    assert.deepEqual(lines, ['at inner (program.js:2', 'at outer (program.js:5', 'at program.js:7']);
  });

  it('survives an error whose members are hostile', async () => {
    const code = `const e = new Error('x');
      for (const key of ['name', 'message', 'stack']) Object.defineProperty(e, key, { get() { throw e } });
      throw e`;
    assert.equal((await errorOf(code)).kind, 'javascript');
  });

  it('bounds the message and the stack', async () => {
    const code = "const e = new Error('€'.repeat(100000)); e.name = 'n'.repeat(100000); throw e";
    const { message, name = '' } = await errorOf(code);
    assert.ok(message.length > 1000 && message.length < 5000 && /^€+$/.test(message));
    assert.ok(name.length <= 256);
  });

  it('always fits its frame, however small that is', async () => {
    const options = ['--max-frame-bytes', '600'];
    const code = "throw new Error('\\u0000'.repeat(5000))";
    const { terminal, exitCode } = await run(code, { options });
    assert.equal(exitCode, 0);
    assert.equal(terminal?.error?.kind, 'javascript');
    assert.ok(JSON.stringify(terminal).length <= 600);
  });

  it('keeps lone surrogates of a message', async () => {
    assert.equal((await errorOf("throw new Error('a\\ud800b')")).message, 'a\ud800b');
  });

  it('does not believe a stack that a program has written', async () => {
    const code =
      "const e = new Error('x'); Object.defineProperty(e, 'stack', { value: '    at f (program.js:99999:1)\\n    at /etc/passwd:1:1' }); throw e";
    const { position, stack } = await errorOf(code);
    assert.deepEqual([position, stack], [undefined, undefined]);
  });

  const warned: [string, string, string[]][] = [
    [
      'that nothing handles',
      "Promise.reject(new Error('gone', { cause: 2 })); return 1",
      ['Error: gone (caused by 2)'],
    ],
    ['of an async function that nobody awaits', 'const f = async () => { throw 7 }; f(); return 1', ['7']],
    ['that is handled later', 'const p = Promise.reject(1); await null; p.catch(() => {}); return 1', []],
    ['that is awaited', 'const f = async () => { throw 1 }; try { await f() } catch {} return 1', []],
    [
      'that Promise.all has seen',
      'try { await Promise.all([Promise.reject(1), Promise.reject(2)]) } catch {} return 1',
      [],
    ],
    [
      'of a tool call that nobody awaits',
      'tools.t(1); return 1',
      ['TypeError: the argument of a tool must be a plain object'],
    ],
    ['beside the error that ends the run', "Promise.reject('a'); throw 1", ['"a"']],
    [
      'whose reason cannot be shown',
      'const p = new Proxy({}, { getPrototypeOf() { throw 1 } }); Promise.reject(p); return 1',
      ['[a value that cannot be shown]'],
    ],
  ];
  for (const [what, code, reasons] of warned) {
    it(`${reasons.length > 0 ? 'warns' : 'does not warn'} of a rejection ${what}`, async () => {
      const { terminal } = await run(code, { tools: { t: () => 1 } });
      assert.deepEqual(
        terminal?.warnings ?? [],
        reasons.map((reason) => ({
          code: 'UNHANDLED_REJECTION',
          message: `a promise was rejected, and nothing handles that: ${reason}`,
        })),
      );
    });
  }

  it('bounds the warnings, and still fits the smallest frame', async () => {
    const code = "for (let i = 0; i < 100; i++) Promise.reject('x'.repeat(1000)); return 1";
    const { warnings = [] } = (await run(code)).terminal ?? {};
    assert.equal(warnings.length, 8);
    assert.ok(warnings.every(({ message }) => message.length <= 512));
    assert.match(warnings[7]?.message ?? '', /^93 more promises/);
    const { terminal, exitCode } = await run(code, { options: ['--max-frame-bytes', '600'] });
    assert.deepEqual([exitCode, terminal?.result, terminal?.warnings], [0, 1, undefined]);
  });
});
