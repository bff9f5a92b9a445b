// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs are texts here.
import assert from 'node:assert/strict';
import { errorOf, resultOf, run } from './helper.js';

const MIB = 1 << 20;

/* What each piece of program evaluates to; all of it runs in one program, with `url` to change. */
const values: [string, string, unknown][] = [
  [
    'reads a URL, and normalises it',
    "new URL('HTTP://User:pw@Example.COM:80/a/../b c?q#f').href",
    'http://User:pw@example.com/b%20c?q#f',
  ],
  ['resolves against a base', "new URL('../c?d', 'https://host/a/b/').href", 'https://host/a/c?d'],
  ['takes a URL as base', "new URL('/x', new URL('https://host/y')).href", 'https://host/x'],
  [
    'has the parts of a URL',
    "(({ origin, host, port, pathname, search, hash }) => [origin, host, port, pathname, search, hash])(new URL('https://h:8443/p?q=1#f'))",
    ['https://h:8443', 'h:8443', '8443', '/p', '?q=1', '#f'],
  ],
  [
    'sets the parts of a URL',
    "Object.assign(new URL('https://h/'), { protocol: 'http', host: 'i:81', pathname: 'a b', hash: 'x' }).href",
    'http://i:81/a%20b#x',
  ],
  [
    'writes international names in ASCII',
    "new URL('https://münchen.example/').hostname",
    'xn--mnchen-3ya.example',
  ],
  [
    'reads addresses of IPv4 and IPv6',
    "[new URL('http://0x7f.1/').host, new URL('http://[::0:1]/').host]",
    ['127.0.0.1', '[::1]'],
  ],
  ['replaces lone surrogates', "new URL('http://h/\\ud800').pathname", '/%EF%BF%BD'],
  [
    'is its address as text and as JSON',
    "[String(new URL('http://h')), JSON.stringify({ url: new URL('http://h') })]",
    ['http://h/', '{"url":"http://h/"}'],
  ],
  [
    'says whether a text is a URL',
    "[URL.canParse('http://h'), URL.canParse('h'), URL.canParse('h', 'http://g')]",
    [true, false, true],
  ],
  ['parses without throwing', "[URL.parse('h', 'http://g/').href, URL.parse('h')]", ['http://g/h', null]],
  [
    'has the same searchParams each time',
    "(u => u.searchParams === u.searchParams)(new URL('http://h'))",
    true,
  ],
  [
    'follows its searchParams',
    "(u => (u.searchParams.append('b', 'é&'), u.searchParams.delete('a'), u.href))(new URL('http://h/?a=1#f'))",
    'http://h/?b=%C3%A9%26#f',
  ],
  [
    'loses an empty query',
    "(u => (u.searchParams.delete('a'), u.href))(new URL('http://h/?a=1'))",
    'http://h/',
  ],
  [
    'renews searchParams when search is set',
    "(u => { const p = u.searchParams; u.search = 'x=1&y=2'; return [...p.keys()] })(new URL('http://h/?a=1'))",
    ['x', 'y'],
  ],
  [
    'renews searchParams when href is set',
    "(u => { const p = u.searchParams; u.href = 'http://i/?z'; return [...p] })(new URL('http://h/?a=1'))",
    [['z', '']],
  ],
  [
    'can be extended',
    "(new (class Api extends URL { get tail() { return this.pathname.slice(1) } })('http://h/t')).tail",
    't',
  ],
  [
    'has the members of the standard enumerable',
    "Object.keys(Object.getOwnPropertyDescriptors(URL.prototype)).sort().join() === [...(function* () { for (const key in new URL('http://h')) yield key })(), 'constructor'].sort().join()",
    true,
  ],
  [
    'is a global like built-in ones',
    "[typeof URL, Object.keys(globalThis).includes('URL'), Object.prototype.toString.call(new URL('http://h'))]",
    ['function', false, '[object URL]'],
  ],
];

const params: [string, string, unknown][] = [
  [
    'reads a text, with or without a question mark',
    "[`${new URLSearchParams('?a=1&b=2')}`, `${new URLSearchParams('a=1&b=2')}`]",
    ['a=1&b=2', 'a=1&b=2'],
  ],
  [
    'decodes plus signs, percent signs and UTF-8',
    "[...new URLSearchParams('a+b=%C3%A9%20&%=%zz&=')]",
    [
      ['a b', 'é '],
      ['%', '%zz'],
      ['', ''],
    ],
  ],
  [
    'replaces malformed UTF-8 as text decoders do',
    "[...new URLSearchParams('a=%FF&b=%E4%BD&c=%EF%BF%BD&d=%F0%9F%98!&e+%C3=1%2B1')].flat()",
    ['a', '\ufffd', 'b', '\ufffd', 'c', '\ufffd', 'd', '\ufffd!', 'e \ufffd', '1+1'],
  ],
  ['takes an object', "new URLSearchParams({ q: 'a b', n: 1, t: true }).toString()", 'q=a+b&n=1&t=true'],
  [
    'takes pairs, a Map, and another one',
    "[[['a', 1], ['a', 2]], new Map([['m', 1]]), new URLSearchParams('x=y')].map(i => `${new URLSearchParams(i)}`)",
    ['a=1&a=2', 'm=1', 'x=y'],
  ],
  [
    'takes nothing, and null as a text',
    '[`${new URLSearchParams()}`, `${new URLSearchParams(undefined)}`, `${new URLSearchParams(null)}`]',
    ['', '', 'null='],
  ],
  [
    'lets names of an object coincide',
    "[...new URLSearchParams({ '\\ud800': 1, '\\udbff': 2 })]",
    [['\ufffd', '2']],
  ],
  [
    'gets, has and counts',
    "(p => [p.get('a'), p.getAll('a'), p.get('z'), p.has('a'), p.has('a', '3'), p.has('a', '2'), p.size])(new URLSearchParams('a=1&b=&a=2'))",
    ['1', ['1', '2'], null, true, false, true, 3],
  ],
  [
    'sets the first and drops the others',
    "(p => (p.set('a', 9), p.set('c', 3), `${p}`))(new URLSearchParams('a=1&b=2&a=3'))",
    'a=9&b=2&c=3',
  ],
  [
    'deletes by name, and by name and value',
    "(p => (p.delete('a', '1'), p.delete('b'), `${p}`))(new URLSearchParams('a=1&b=2&a=3'))",
    'a=3',
  ],
  [
    'sorts by code units, and keeps equal names in order',
    "(p => (p.sort(), [...p.values()].join('')))(new URLSearchParams('\\ufffd=4&z=1&\\u{1f600}=3&z=2'))",
    '1234',
  ],
  [
    'is iterable, live',
    "(p => { const seen = []; for (const [name] of p) { seen.push(name); p.delete('b') } return seen })(new URLSearchParams('a=1&b=2&c=3'))",
    ['a', 'c'],
  ],
  [
    'has iterators like those of ECMAScript',
    "(i => [i.next(), [...i], i.next(), Object.prototype.toString.call(i), i[Symbol.iterator]() === i])(new URLSearchParams('a=1&b=2').entries())",
    [
      { value: ['a', '1'], done: false },
      [['b', '2']],
      { done: true },
      '[object URLSearchParams Iterator]',
      true,
    ],
  ],
  [
    'calls a function for each',
    "(seen => (new URLSearchParams('a=1&b=2').forEach(function (value, name, p) { seen.push(this.x + name + value + p.size) }, { x: '>' }), seen))([])",
    ['>a12', '>b22'],
  ],
  ['is nothing as JSON', "JSON.stringify(new URLSearchParams('a=1'))", '{}'],
];

const errors: [string, string][] = [
  ["new URL('/p')", 'TypeError: Invalid URL: "/p" is relative, and needs a base as second argument'],
  ["new URL('http://a b/')", 'TypeError: Invalid URL: "http://a b/"'],
  ["new URL('x', 'y')", 'TypeError: Invalid URL: "x" with the base "y"'],
  ["new URL('http://' + ' '.repeat(1e4) + 'x y')", `TypeError: Invalid URL: "http://${' '.repeat(193)}…"`],
  ["new URL('http://h').href = 'nope'", 'TypeError: Invalid URL: "nope" cannot be assigned to href'],
  [
    'new URLSearchParams([[1]])',
    'TypeError: URLSearchParams: each item must be a pair, an iterable of a name and a value',
  ],
  [
    "new URLSearchParams(['ab'])",
    'TypeError: URLSearchParams: each item must be a pair, an iterable of a name and a value',
  ],
  ['new URLSearchParams().get()', 'TypeError: URLSearchParams.prototype.get needs 1 argument, and got 0'],
  ["new URLSearchParams().set('a')", 'TypeError: URLSearchParams.prototype.set needs 2 arguments, and got 1'],
  ['new URLSearchParams().forEach(1)', 'TypeError: URLSearchParams.prototype.forEach needs a function'],
];

/* Evaluates all of them in one program: each would cost a process. */
function evaluated(cases: [string, string, ...unknown[]][]): () => Promise<unknown[]> {
  let results: Promise<unknown[]> | undefined;
  const code = `return [${cases.map(([, expression]) => `() => ${expression}`).join(', ')}].map((evaluate) => {
    try { return evaluate() } catch (error) { return String(error) }
  })`;
  return () => {
    results ??= resultOf(code) as Promise<unknown[]>;
    return results;
  };
}

describe('code-runner: URL', () => {
  const results = evaluated(values);
  values.forEach(([behaviour, , expected], index) => {
    it(behaviour, async () => {
      assert.deepEqual((await results())[index], expected);
    });
  });

  const failures = evaluated(errors.map(([expression]) => ['', expression]));
  errors.forEach(([expression, message], index) => {
    it(`explains ${expression}`, async () => {
      assert.equal((await failures())[index], message);
    });
  });

  it('throws where the program called it, with a code', async () => {
    const { name, position } = await errorOf("const a = 1;\n  new URL('nope')");
    assert.equal(name, 'TypeError');
    assert.equal(position?.line, 2);
    assert.equal(
      await resultOf("try { new URL('nope') } catch (error) { return error.code }"),
      'ERR_INVALID_URL',
    );
  });

  it('throws a TypeError for what is no URL and no URLSearchParams', async () => {
    const code = `return [() => URL.prototype.href, () => URL.prototype.searchParams, () => URL.prototype.toJSON.call({}),
      () => { URL.prototype.hash = 'x' }, () => URLSearchParams.prototype.size, () => URLSearchParams.prototype.keys.call({}),
      () => new URLSearchParams('a').keys().next.call({}), () => URL('http://h'), () => URLSearchParams('')].map((attempt) => {
        try { return attempt() } catch (error) { return error instanceof TypeError }
      })`;
    assert.deepEqual(await resultOf(code), Array(9).fill(true));
  });

  it('gives its address as a result, and as the argument of a tool', async () => {
    const { terminal } = await run(
      "return [new URL('http://h'), (await tools.echo({ url: new URL('http://i') })).url]",
      {
        tools: { echo: (input) => input },
      },
    );
    assert.deepEqual(terminal?.result, ['http://h/', 'http://i/']);
  });

  it('is shown by the console', async () => {
    const { frames } = await run(
      "console.log(new URL('http://h/?a'), [new URLSearchParams('a=1&b=2')], new URLSearchParams())",
    );
    assert.equal(
      frames.find(({ type }) => type === 'log')?.text,
      'URL { href: "http://h/?a" } [ URLSearchParams(2) { "a" => "1", "b" => "2" } ] URLSearchParams(0) {}',
    );
  });

  it('is absent where the web was not granted', async () => {
    const code = "return ['URL', 'URLSearchParams'].filter((name) => name in globalThis)";
    assert.deepEqual(await resultOf(code, { features: ['console'] }), []);
  });

  it('holds whatever a program does to built-in objects', async () => {
    const code = `
      const { URL, URLSearchParams } = globalThis;
      const before = [Object, Function, Array, String, Symbol, Reflect, JSON, Number];
      const { getOwnPropertyNames, defineProperty } = Object;
      const define = (object, key, descriptor) => { try { defineProperty(object, key, descriptor) } catch {} };
      const broken = () => { throw new RangeError('a changed built-in was used') };
      const { prototype: arrays } = Array;
      for (const object of [String.prototype, Reflect, JSON, Function.prototype, URLSearchParams.prototype.forEach]) {
        for (const key of getOwnPropertyNames(object)) {
          if (key !== 'constructor') define(object, key, { value: broken });
        }
      }
      for (const key of ['0', '1', '2', 'url', 'base', 'name', 'value']) {
        define(arrays, key, { set: broken, get: broken });
        define(Object.prototype, key, { set: broken, get: broken });
      }
      for (const key of ['push', 'sort', 'length', 'map']) define(arrays, key, { value: broken });
      globalThis.Symbol = globalThis.TypeError = globalThis.URL = globalThis.URLSearchParams = undefined;
      const url = new URL('/p?b=2&a=1', 'http://h');
      url.searchParams.append('c', '3');
      url.searchParams.sort();
      url.hash = 'f';
      const all = url.searchParams.getAll('a');
      let invalid;
      try { new URL('nope') } catch (error) { invalid = error.message }
      return { all: all[0], href: url.href, invalid };`;
    const { terminal } = await run(code);
    assert.deepEqual(terminal?.error, undefined);
    assert.deepEqual(terminal?.result, {
      all: '1',
      href: 'http://h/p?a=1&b=2&c=3#f',
      invalid: 'Invalid URL: "nope" is relative, and needs a base as second argument',
    });
  });

  it('counts what it holds against the memory limit', async () => {
    const code = "const kept = []; for (;;) kept.push(new URL('http://h/' + 'x'.repeat(1e5)))";
    const { kind } = await errorOf(code, { limits: { memoryBytes: 16 * MIB } });
    assert.equal(kind, 'memory');
  });

  it('gives back what it held', async () => {
    const code =
      "for (let i = 0; i < 300; i++) new URL('http://h/?' + 'x'.repeat(1e5)).searchParams.size; return 'done'";
    assert.equal(await resultOf(code, { limits: { memoryBytes: 16 * MIB } }), 'done');
  });

  it('reports a URL that no memory is left for as exhausted memory', async () => {
    const code = "const text = 'http://h/' + '\\u00e9'.repeat(2e6); return new URL(text).href.length";
    const { kind } = await errorOf(code, { limits: { memoryBytes: 8 * MIB } });
    assert.equal(kind, 'memory');
  });

  it('is stopped by the deadline in the middle of a long text', async () => {
    const code = "const text = 'http://h/' + '\\u00e9'.repeat(1e6); for (;;) URL.canParse(text)";
    assert.equal((await errorOf(code, { limits: { timeoutMs: 300 } })).kind, 'timeout');
  });
});

describe('code-runner: URLSearchParams', () => {
  const results = evaluated(params);
  params.forEach(([behaviour, , expected], index) => {
    it(behaviour, async () => {
      assert.deepEqual((await results())[index], expected);
    });
  });
});
