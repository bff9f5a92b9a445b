import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import type { ToolContext } from '../../src/tools/tool.js';
import { readToolSet, ToolSetProblem } from '../../src/tools/tool-set.js';

const RESERVED = new Set(['onLog', 'signal']);
const read = (tools: unknown) => readToolSet(tools, RESERVED);
const context = {} as ToolContext;
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

describe('tools: reading a tool set', () => {
  it('takes a bare function as a tool that writes', () => {
    const entry = read({ 'math.double': (input: number) => input * 2 }).get('math.double');
    assert.equal(entry?.effect, 'write');
    assert.equal(entry?.execute(21, context), 42);
  });

  it('takes an object with execute and its effect', () => {
    const entry = read({ a: { effect: 'read', description: 'd', execute: () => 1 } }).get('a');
    assert.equal(entry?.effect, 'read');
    assert.equal(entry?.execute({}, context), 1);
  });

  it('calls execute as a method of its tool', () => {
    class Counter {
      n = 0;
      execute() {
        return ++this.n;
      }
    }
    const counter = { n: 0, execute: Counter.prototype.execute };
    assert.throws(() => read({ counter }), /unknown member "n"/);
    const plain = Object.defineProperty({ execute: Counter.prototype.execute }, 'n', {
      value: 5,
      writable: true,
    });
    assert.equal(read({ plain }).get('plain')?.execute({}, context), 6);
  });

  it('takes names that collide with the prototype', () => {
    const tools = JSON.parse('{"__proto__":null,"constructor":null,"delete":null,"a-b":null}');
    for (const name of Object.keys(tools)) {
      Object.defineProperty(tools, name, { value: () => name, enumerable: true });
    }
    assert.deepEqual([...read(tools).keys()], ['__proto__', 'constructor', 'delete', 'a-b']);
  });

  it('takes an object tool with the name of a run option', () => {
    assert.ok(read({ signal: { execute: () => 1 } }).has('signal'));
  });

  it('takes sets without a prototype, and those of another realm', () => {
    assert.ok(read(Object.assign(Object.create(null), { a: () => 1 })).has('a'));
    assert.ok(read(runInNewContext('({ a() {} })')).has('a'));
  });

  const refused: [string, unknown, RegExp][] = [
    ['null', null, /tools is null/],
    ['an array', [], /tools is an array/],
    ['a function', () => 1, /tools is a function/],
    ['a Map', new Map([['a', () => 1]]), /tools is a Map: .*Object\.fromEntries\(map\)/],
    ['a Set', new Set([() => 1]), /tools is a Set: pass a plain object/],
    ['a promise of tools', Promise.resolve({}), /tools is a promise: pass a plain object/],
    ['an instance of a class', new (class Tools {})(), /tools is an instance of a class: pass a plain/],
    ['an object that inherits its tools', Object.create({ a: () => 1 }), /tools is an instance of a class/],
    [
      'a bare function named like a run option',
      { onLog: () => 1 },
      /arguments shifted\? Options are the third/,
    ],
    ['a signal in the place of a tool', { signal: new AbortController().signal }, /arguments shifted/],
    ['an option that is undefined', { signal: undefined }, /arguments shifted/],
    ['a tool that is a string', { a: 'x' }, /tools\["a"\] is "x"/],
    ['a tool without execute', { a: { description: 'x' } }, /execute is undefined/],
    ['an effect that does not exist', { a: { effect: 'none', execute() {} } }, /effect is "none"/],
    ['a description that is no string', { a: { description: 1, execute() {} } }, /description is 1:/],
    ['a misspelt member', { a: { excute() {} } }, /did you mean execute\?/],
    [
      'an unknown member',
      { a: { execute() {}, colour: 'red' } },
      /a tool has description, inputSchema, outputS/,
    ],
    [
      'the member parameters, of others',
      { a: { execute() {}, parameters: {} } },
      /did you mean inputSchema\?/,
    ],
    ['the member handler, of others', { a: { handler() {} } }, /did you mean execute\?/],
    ['a member constructor', { a: { execute() {}, constructor: 1 } }, /unknown member "constructor"/],
    ['a time limit of 0', { a: { execute() {}, timeoutMs: 0 } }, /timeoutMs is 0: .* integer from 1/],
    ['a time limit beyond timers', { a: { execute() {}, timeoutMs: 2 ** 31 } }, /timeoutMs is 2147483648/],
    ['a fraction of a call', { a: { execute() {}, maxCalls: 1.5 } }, /maxCalls is 1\.5: .* integer from 0/],
    [
      'a schema that is a string',
      { a: { execute() {}, inputSchema: 'x' } },
      /tools\["a"\]\.inputSchema is "x": pass a JSON Schema/,
    ],
    [
      'a schema that does not compile',
      { a: { execute() {}, outputSchema: { $ref: '#/$defs/none' } } },
      /tools\["a"\]\.outputSchema cannot be compiled: can't resolve reference #\/\$defs\/none/,
    ],
    ['a tool that is a revoked proxy', { a: revoked() }, /tools\["a"\] cannot be read: .*revoked/],
    ['a revoked proxy', revoked(), /tools cannot be read: .*revoked/],
    ['an empty name', { '': () => 1 }, /empty name/],
    ['a name with a NUL', { 'a\0b': () => 1 }, /NUL/],
    ['a name with a lone surrogate', { '\ud800': () => 1 }, /surrogate/],
    ['a name of 257 bytes', { [`${'é'.repeat(128)}x`]: () => 1 }, /257 bytes/],
    [
      '513 tools',
      Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`t${i}`, () => i])),
      /at most 512/,
    ],
  ];
  for (const [what, tools, message] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => read(tools),
        (error) => error instanceof ToolSetProblem && message.test(error.message),
      );
    });
  }

  it('takes 512 tools and a name of 256 bytes', () => {
    assert.equal(
      read(Object.fromEntries(Array.from({ length: 512 }, (_, i) => [`t${i}`, () => i]))).size,
      512,
    );
    assert.equal(read({ ['é'.repeat(128)]: () => 1 }).size, 1);
  });
});
