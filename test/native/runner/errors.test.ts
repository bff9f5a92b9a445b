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
  ['throw new Error()', /an error without a message$/],
  ["await Promise.reject(new Error('from a promise'))", /^from a promise$/],
];

describe('code-runner: errors', () => {
  for (const [code, line, column] of positions) {
    it(`names line ${line}, column ${column} of ${JSON.stringify(code)}`, async () => {
      const { kind, position } = await errorOf(code);
      assert.equal(kind, 'javascript');
      assert.equal(position?.line, line);
      assert.ok(Math.abs((position?.column ?? 0) - column) <= 4, `column ${position?.column}`);
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

  it('reports what a program rejects and never awaits only by its own outcome', async () => {
    const { terminal } = await run("Promise.reject(new Error('nobody looks')); return 1");
    assert.equal(terminal?.result, 1);
  });
});
