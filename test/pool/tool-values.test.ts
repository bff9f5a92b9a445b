import assert from 'node:assert/strict';
import { createPool, type Pool } from 'wardenpool';

const accepted: [string, () => unknown, unknown][] = [
  ['undefined as null', () => undefined, null],
  ['an undefined property by leaving it out', () => ({ a: undefined, b: 1 }), { b: 1 }],
  [
    'an undefined element and a hole as null',
    () => Object.assign(new Array(3), { 0: undefined, 2: 1 }),
    [null, null, 1],
  ],
  ['-0 as 0', () => [-0], [0]],
  ['a Date as its ISO string', () => ({ at: new Date(0) }), { at: '1970-01-01T00:00:00.000Z' }],
  ['an Error as name and message', () => [new TypeError('no')], [{ name: 'TypeError', message: 'no' }]],
  [
    'an instance by its own properties',
    () =>
      new (class Point {
        x = 1;
        #y = 2;
        sum() {
          return this.#y;
        }
      })(),
    { x: 1 },
  ],
  ['an object without prototype', () => Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['a proxy as what it stands for', () => new Proxy([1, { a: 2 }], {}), [1, { a: 2 }]],
  ['boxed primitives', () => [Object('s'), Object(1), Object(false)], ['s', 1, false]],
  ['what a toJSON gives', () => ({ a: { toJSON: (key: string) => [key] } }), { a: ['a'] }],
  ['what a toJSON gives, and no toJSON of that', () => ({ toJSON: () => ({ toJSON: 1 }) }), { toJSON: 1 }],
  ['an own key __proto__', () => JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ['numbers exactly', () => [1e21, 0.1, -1e-7, 2 ** 53, 5e-324], [1e21, 0.1, -1e-7, 2 ** 53, 5e-324]],
  ['every code unit of a text', () => '\0\u2028\u2029\ud800x\udc00"\\😀', '\0\u2028\u2029\ud800x\udc00"\\😀'],
  ['a lone surrogate in a key', () => ({ '\udfff': 1 }), { '\udfff': 1 }],
];

/** What both sides refuse, and the end of the path. */
const refused: [string, () => unknown, string, RegExp][] = [
  ['NaN', () => ({ items: [0, { total: Number.NaN }] }), '$.items[1].total', /NaN/],
  ['Infinity', () => [Number.NEGATIVE_INFINITY], '$[0]', /[Ii]nfinit/],
  ['a BigInt', () => ({ 'a b': 1n }), '$["a b"]', /BigInt/],
  ['a symbol', () => [Symbol('s')], '$[0]', /symbol/],
  ['a function', () => ({ f() {} }), '$.f', /function/],
  ['a promise', () => [Promise.resolve(1)], '$[0]', /await it/],
  ['a Map', () => ({ m: new Map() }), '$.m', /Map.*convert/],
  ['a Set', () => ({ s: new Set() }), '$.s', /Set.*convert/],
  ['a WeakMap', () => ({ w: new WeakMap() }), '$.w', /weak/],
  ['a typed array', () => ({ b: new Uint8Array(2) }), '$.b', /binary/],
  ['a RegExp', () => ({ r: /x/ }), '$.r', /regular expression/],
  [
    'a getter that throws',
    () => [
      {
        get total() {
          throw new Error('mine');
        },
      },
    ],
    '$[0].total',
    /getter/,
  ],
  [
    'a cycle',
    () => {
      const a: Record<string, unknown> = {};
      a['b'] = [a];
      return a;
    },
    '$.b[0]',
    /refer|contains it/,
  ],
];

describe('pool: values between tools and programs', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  const received = (value: unknown) => JSON.stringify(value);

  for (const [what, make, expected] of accepted) {
    it(`carry ${what}, in both directions`, async () => {
      const seen: unknown[] = [];
      const run = await pool.run(
        `const make = ${make.toString()};
         await tools.sink({ value: make() });
         return JSON.stringify(await tools.source());`,
        { sink: (input: { value: unknown }) => seen.push(input.value), source: make },
      );
      assert.ok(run.ok, JSON.stringify(run));
      assert.equal(run.value, received(expected));
      // As a member of the arguments, undefined is left out.
      if (what !== 'undefined as null') assert.equal(received(seen[0]), received(expected));
      assert.equal(({} as { a?: number }).a, undefined);
    });
  }

  for (const [what, make, path, reason] of refused) {
    it(`refuse ${what} with its path, in both directions`, async () => {
      const told = '({ code, message }) => ({ code, message })';
      const run = await pool.run(
        `const make = ${make.toString()};
         return [await tools.sink({ value: make() }).catch(${told}), await tools.source().catch(${told})];`,
        { sink: () => assert.fail('called'), source: make },
      );
      assert.ok(run.ok, JSON.stringify(run));
      const [argument, result] = run.value as { code: string; message: string }[];
      assert.match(String(argument?.message), reason);
      assert.ok(argument?.message.includes(path.replace('$', '$.value')), argument?.message);
      assert.equal(result?.code, 'TOOL_RESULT_INVALID');
      assert.match(String(result?.message), reason);
      assert.ok(result?.message.includes(`: ${path}`), result?.message);
      assert.doesNotMatch(String(result?.message), /mine/);
      // What the program could not send is no call.
      assert.deepEqual(
        run.toolCalls.map(({ name, outcome }) => `${name} ${outcome}`),
        ['source invalid'],
      );
    });
  }

  it('refuse what only a host has: Buffers, invalid Dates, revoked proxies', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const value of [Buffer.from('x'), new Date(Number.NaN), proxy]) {
      const run = await pool.run('await tools.t()', { t: () => ({ value }) });
      assert.match(run.ok ? '' : run.error.message, /\$\.value /);
    }
  });

  it('carry a URL of the host as its href', async () => {
    const run = await pool.run('return tools.t()', { t: () => new URL('https://a.example/x?y') });
    assert.equal(run.ok && run.value, 'https://a.example/x?y');
  });

  it('tell the program nothing of what a toJSON of the host throws', async () => {
    const toJSON = () => {
      throw new Error('password');
    };
    const run = await pool.run('return tools.t().catch(({ code, message }) => [code, message])', {
      t: () => ({ toJSON }),
    });
    assert.deepEqual(run.ok && run.value, ['TOOL_FAILED', 'The tool failed.']);
    assert.equal(String(run.toolCalls[0]?.error), 'Error: password');
  });

  it('refuse more levels than a frame may have', async () => {
    const run = await pool.run('await tools.t()', {
      t: () => Array.from({ length: 512 }).reduce<unknown>((value) => [value], 1),
    });
    assert.match(String(run.toolCalls[0]?.error), /\$\[0\]\[0\].*… is nested deeper than 511 levels/);
  });

  it('call a toJSON once', async () => {
    let calls = 0;
    const run = await pool.run('return tools.t()', { t: () => ({ a: { toJSON: () => ++calls } }) });
    assert.deepEqual(run.ok && run.value, { a: 1 });
    assert.equal(calls, 1);
  });

  it('leave undefined members out of arguments: {q: undefined, a: [1, undefined]}', async () => {
    let seen: unknown;
    const t = (input: unknown) => {
      seen = input;
    };
    await pool.run('await tools.t({ q: undefined, a: [1, undefined] })', { t });
    assert.deepEqual(seen, { a: [1, null] });
    assert.ok(!Object.hasOwn(seen as object, 'q'));
  });

  it('change no prototype by a key __proto__, on either side', async () => {
    const evil = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
    let seen: Record<string, unknown> = {};
    const t = (input: Record<string, unknown>) => {
      seen = input;
      return evil;
    };
    const run = await pool.run(
      `const got = await tools.t(JSON.parse('{"__proto__":{"polluted":true}}'));
       return [Object.keys(got), got.polluted === undefined, Object.getPrototypeOf(got) === Object.prototype, got];`,
      { t },
    );
    assert.ok(run.ok);
    assert.equal(
      JSON.stringify(run.value),
      '[["__proto__","a"],true,true,{"__proto__":{"polluted":true},"a":1}]',
    );
    assert.deepEqual(Object.keys(seen), ['__proto__']);
    assert.equal(seen['polluted'], undefined);
    assert.equal(JSON.stringify(run.toolCalls[0]?.arguments), '{"__proto__":{"polluted":true}}');
  });

  it('refuse promises in a result, saying to await them: {f: ids.map(i => tools.get({i}))}', async () => {
    const run = await pool.run('const ids = [1, 2]; return { f: ids.map((i) => tools.get({ i })) }', {
      get: () => 1,
    });
    assert.ok(!run.ok);
    assert.equal(run.error.kind, 'result');
    assert.equal(run.error.path, '$.f[0]');
    assert.match(run.error.message, /await it/);
  });
});
