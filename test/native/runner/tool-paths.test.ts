import assert from 'node:assert/strict';
import { executeFrame, Runner, resultOf } from './helper.js';

/* What a program says about `tools`, of which it calls none. */
async function seen(names: string[], expression: string, features = ['tool-paths']): Promise<unknown> {
  const code = `return ${expression}`;
  const runner = new Runner().send(executeFrame({ code, features, tools: names }));
  return (await runner.ended()).terminal?.result;
}

describe('code-runner: tool-paths', () => {
  it('calls a dotted name by its path, as the tool that it is', async () => {
    const tools = { 'math.double': ({ value }: Record<string, unknown>) => Number(value) * 2 };
    assert.equal(await resultOf('return tools.math.double({ value: 21 })', { tools }), 42);
    assert.equal(await resultOf("return tools.math.double === tools['math.double']", { tools }), true);
  });

  it('leaves the keys of tools as they are, and lists what a namespace contains', async () => {
    assert.deepEqual(
      await seen(
        ['b.y', 'a', 'b.x', 'b.c.z'],
        '[Object.keys(tools), Object.keys(tools.b), Object.keys(tools.b.c)]',
      ),
      [['b.y', 'a', 'b.x', 'b.c.z'], ['y', 'x', 'c'], ['z']],
    );
  });

  it('has no path through a tool: the shorter name wins, in any order', async () => {
    const paths = '[typeof tools.a.b, typeof tools.a.b?.c, typeof tools.a.d, typeof tools.a.d?.e?.f]';
    for (const names of [
      ['a.b', 'a.b.c', 'a.d.e.f', 'a.d.e'],
      ['a.b.c', 'a.d.e', 'a.d.e.f', 'a.b'],
    ]) {
      assert.deepEqual(await seen(names, paths), ['function', 'undefined', 'object', 'undefined']);
    }
    assert.deepEqual(await seen(['a.b', 'a'], '[typeof tools.a, Object.hasOwn(tools.a, "b")]'), [
      'function',
      false,
    ]);
  });

  it('has no path for a name with an empty segment', async () => {
    const names = ['.a', 'a.', 'b..c', '.', '..', 'd.e'];
    assert.deepEqual(await seen(names, 'Object.getOwnPropertyNames(tools)'), [...names, 'd']);
  });

  for (const name of [
    '__proto__.x',
    'a.__proto__',
    'a.constructor',
    'constructor.prototype',
    '1.2',
    'ü.😀',
  ]) {
    it(`has the path of ${name}, whatever its segments mean elsewhere`, async () => {
      const segments = JSON.stringify(name.split('.'));
      assert.equal(await seen([name], `${segments}.reduce((o, key) => o[key], tools).name`), name);
    });
  }

  it('has namespaces that cannot be changed, and that inherit nothing', async () => {
    const code = `[tools.a, tools.a.b].map((o) => [Object.isFrozen(o), Object.getPrototypeOf(o), 'toString' in o])`;
    assert.deepEqual(await seen(['a.b.c'], `[...${code}, Object.isFrozen(tools)]`), [
      [true, null, false],
      [true, null, false],
      true,
    ]);
  });

  it('takes a name of 128 segments', async () => {
    const name = Array.from({ length: 128 }, (_, i) => 'abc'[i % 3]).join('.');
    assert.equal(await seen([name], `'${name}'.split('.').reduce((o, key) => o[key], tools).name`), name);
  });

  it('takes a dot that is written as an escape', async () => {
    const frame = JSON.stringify(
      executeFrame({ code: 'return tools.a.b.name', features: ['tool-paths'], tools: ['a.b'] }),
    );
    const runner = new Runner().write(`${frame.replace('"a.b"', '"a\\u002eb"')}\n`);
    assert.equal((await runner.ended()).terminal?.result, 'a.b');
  });

  it('has no paths without the feature', async () => {
    assert.equal(await seen(['math.double'], 'typeof tools.math', []), 'undefined');
  });
});
