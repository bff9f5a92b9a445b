import assert from 'node:assert/strict';
import { errorOf, resultOf } from './helper.js';

/* Programs that must give here what they give in Node: the same text runs in both. */
async function agrees(code: string): Promise<void> {
  const run = new Function(`${ATTEMPT}${code}`) as () => unknown;
  assert.deepEqual(await resultOf(`${ATTEMPT}${code}`), JSON.parse(JSON.stringify(run())));
}

/* The value of a function, or the name of what it throws. */
const ATTEMPT = 'const attempt = (f) => { try { return f() } catch (e) { return [e.name] } };';

describe('code-runner: web, structuredClone', () => {
  const equal: [string, string][] = [
    [
      'plain data, holes and undefined',
      "const v = structuredClone({ a: [1, , undefined, null], b: { c: 'x' } }); return [v, 1 in v.a, 2 in v.a, v.a.length]",
    ],
    [
      'numbers that JSON does not have',
      'return structuredClone([NaN, -0, Infinity, 5n]).map(String).concat(1 / structuredClone(-0) < 0)',
    ],
    [
      'cycles and shared references',
      'const a = { n: [] }; a.self = a; a.n.push(a, a.n); const b = structuredClone(a); return [b.self === b, b.n[0] === b, b.n[1] === b.n, b !== a]',
    ],
    [
      'Map and Set, with cycles',
      'const m = new Map([[{ k: 1 }, new Set([1, "a"])]]); m.set("self", m); const c = structuredClone(m); return [[...c.keys()][0], [...[...c.values()][0]], c.get("self") === c, c instanceof Map]',
    ],
    [
      'Date and RegExp',
      'const r = /a(b)/gi; r.lastIndex = 3; const c = structuredClone({ d: new Date(5), r, bad: new Date(NaN) }); return [c.d.getTime(), c.d instanceof Date, c.r.source, c.r.flags, c.r.lastIndex, isNaN(c.bad)]',
    ],
    [
      'boxed primitives',
      'return structuredClone([Object(1), Object("s"), Object(false), Object(7n)]).map((v) => [typeof v, Object.prototype.toString.call(v), String(v)])',
    ],
    [
      'errors',
      "const e = new RangeError('m', { cause: { a: 1 } }); e.extra = 1; const c = structuredClone(e); return [c instanceof RangeError, c.name, c.message, c.extra, Object.keys(c), typeof c.stack]",
    ],
    [
      'errors of a class of their own',
      "class Mine extends Error { name = 'Mine' } const c = structuredClone(new Mine('m')); return [c.constructor === Error, c.name, c.message]",
    ],
    [
      'class instances, without their class',
      'class P { #p = 1; x = 1; get y() { return 2 } } const c = structuredClone(new P()); return [c, Object.getPrototypeOf(c) === Object.prototype]',
    ],
    [
      'objects without a prototype, and non-enumerable properties',
      "const o = Object.create(null); o.a = 1; Object.defineProperty(o, 'h', { value: 2 }); const c = structuredClone(o); return [Object.getOwnPropertyNames(c), Object.getPrototypeOf(c) === Object.prototype]",
    ],
    [
      'an own __proto__',
      `const c = structuredClone(JSON.parse('{"__proto__": {"a": 1}}')); return [Object.keys(c), Object.getPrototypeOf(c) === Object.prototype, c.a]`,
    ],
    [
      'symbol keys, which are left out',
      "const c = structuredClone({ [Symbol('s')]: 1, a: 1 }); return [Object.getOwnPropertySymbols(c).length, c]",
    ],
    [
      'arrays with further properties',
      'const a = Object.assign([1, 2], { extra: { x: 1 } }); const c = structuredClone(a); return [c.length, c.extra, c instanceof Array]',
    ],
    [
      'typed arrays that share a buffer',
      'const b = new ArrayBuffer(8); const c = structuredClone({ a: new Uint8Array(b, 2, 3), b: new Uint16Array(b), d: new DataView(b, 1) }); c.b[1] = 0x0201; return [c.a.constructor.name, c.a[0], c.a[1], c.a.length, c.a.byteOffset, c.d.byteOffset, c.d.byteLength, c.a.buffer === c.d.buffer, new Uint8Array(b)[2]]',
    ],
    [
      'an ArrayBuffer that is transferred',
      'const b = new Uint8Array([1, 2, 3]).buffer; const v = new Uint8Array(b); const c = structuredClone({ b, v }, { transfer: [b] }); return [b.byteLength, v.length, [...new Uint8Array(c.b)], [...c.v]]',
    ],
    [
      'a buffer that is transferred and not part of the value',
      'const b = new ArrayBuffer(2); return [structuredClone(1, { transfer: [b] }), b.byteLength]',
    ],
    [
      'getters, which are called once',
      'let n = 0; const c = structuredClone({ get a() { n++; return { n } } }); return [c, n, Object.getOwnPropertyDescriptor(c, "a").value]',
    ],
    [
      'what getters throw',
      "return attempt(() => structuredClone({ get a() { throw new RangeError('mine') } }))",
    ],
    [
      'sparse arrays',
      'const a = []; a[1000] = 1; const c = structuredClone(a); return [c.length, Object.keys(c)]',
    ],
  ];
  for (const [what, code] of equal) {
    it(`clones ${what}`, () => agrees(code));
  }

  for (const value of [
    '() => 1',
    'Symbol("s")',
    'Object(Symbol("s"))',
    'Promise.resolve()',
    'new WeakMap()',
    'new WeakSet()',
    'new WeakRef({})',
    '{ a: [class {}] }',
    'new Map([[1, () => 1]])',
    'new Proxy({}, {})',
  ]) {
    it(`refuses ${value}, as Node does`, async () => {
      await agrees(`return attempt(() => structuredClone(${value}))`);
      const code = `try { structuredClone(${value}) } catch (e) { return [e.name, e.code, e instanceof DOMException, e instanceof Error] }`;
      assert.deepEqual(await resultOf(code), ['DataCloneError', 25, true, true]);
    });
  }

  it('clones a DOMException', async () => {
    const code =
      "const c = structuredClone(new DOMException('m', 'AbortError')); return [c instanceof DOMException, c.name, c.message, c.code]";
    assert.deepEqual(await resultOf(code), [true, 'AbortError', 'm', 20]);
  });

  it('refuses lists of transfers that make no sense, and detaches nothing then', async () => {
    const code = `${ATTEMPT} const b = new ArrayBuffer(4); const gone = new ArrayBuffer(1); structuredClone(gone, { transfer: [gone] });
      return [[b, b], [{}], [gone], [new Uint8Array(1)]].map((transfer) => attempt(() => structuredClone(1, { transfer }))).concat(
        attempt(() => structuredClone({ b, f() {} }, { transfer: [b] })), attempt(() => structuredClone(gone)), b.byteLength)`;
    const refused = 'DataCloneError';
    assert.deepEqual(await resultOf(code), [[refused], [refused], [refused], [refused], refused, refused, 4]);
  });

  it('clones a value of 1,000 levels, and fails on one of 100,000 in a way that can be caught', async () => {
    const code = `const nest = (n) => { let a = {}; for (let i = 0; i < n; i++) a = { a }; return a };
      let c = structuredClone(nest(1000)), depth = 0; while (c.a) { c = c.a; depth++ }
      try { structuredClone(nest(1e5)) } catch (e) { return [depth, e.name] }`;
    assert.deepEqual(await resultOf(code), [1000, 'RangeError']);
  });
});

describe('code-runner: web, text', () => {
  const bytes = [
    [],
    [0x68, 0x69],
    [0xef, 0xbb, 0xbf, 0x41, 0xef, 0xbb, 0xbf],
    [0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80, 0],
    [0xff, 0x41, 0xc0, 0x80, 0xc3],
    [0xe0, 0x80, 0x80, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0x80, 0x80],
    [0xf0, 0x9f, 0x98, 0x41, 0xe2, 0x82, 0x41, 0xf0, 0x9f],
    [0x80, 0x9f, 0x81, 0xff, 0x00],
    [0xff, 0xfe, 0x41, 0x00, 0x3d, 0xd8, 0x00, 0xde, 0x3d, 0xd8, 0x42, 0x00, 0x05],
    [0x00, 0xdc, 0x3d, 0xd8],
  ];
  for (const label of ['utf-8', 'utf-16le', 'utf-16be']) {
    it(`decodes ${label} as Node does, at once and byte by byte, whatever the bytes are`, () =>
      agrees(`return ${JSON.stringify(bytes)}.map((row) => [{}, { fatal: true }, { ignoreBOM: true }].map((options) => [
        attempt(() => new TextDecoder('${label}', options).decode(new Uint8Array(row))),
        attempt(() => { const d = new TextDecoder('${label}', options); return row.map((b) => d.decode(new Uint8Array([b]), { stream: true })).join('') + d.decode() }),
        attempt(() => { const d = new TextDecoder('${label}', options); return d.decode(new Uint8Array(row.slice(0, 3)), { stream: true }) + d.decode(new Uint8Array(row.slice(3))) + d.decode(new Uint8Array(row)) }),
      ]))`));
  }

  /* Node 20 has this one wrong: it decodes ISO-8859-1. */
  it('decodes latin1 as the windows-1252 that it means', async () => {
    const code = `const all = Uint8Array.from({ length: 256 }, (_, i) => i); const decoder = new TextDecoder('latin1');
      const text = decoder.decode(all); return [text.slice(0x80, 0xa0), [...text].filter((c, i) => c.charCodeAt() !== i).length, text.length, decoder.encoding]`;
    assert.deepEqual(await resultOf(code), [
      '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ',
      27,
      256,
      'windows-1252',
    ]);
  });

  it('knows the labels of its encodings, in any case and with spaces around, and no others', () =>
    agrees(`return ['UTF8', ' utf-8\\n', 'unicode-1-1-utf-8', 'ascii', 'ISO-8859-1', 'l1', 'ucs-2', 'utf-16', 'unicodefffe', 'nope', '', '__proto__', 'toString'].map(
      (label) => attempt(() => new TextDecoder(label).encoding))`));

  it('has the options of a decoder, and their defaults', () =>
    agrees(
      `const d = new TextDecoder(undefined, { fatal: 1 }); return [d.encoding, d.fatal, d.ignoreBOM, String(d), new TextEncoder().encoding, String(new TextEncoder())]`,
    ));

  it('decodes every kind of binary data, and refuses the rest', () =>
    agrees(`const b = new Uint8Array([65, 66, 67, 68]).buffer; const d = new TextDecoder();
      return [b, new DataView(b, 1, 2), new Uint8Array(b, 2), new Uint16Array(b), undefined].map((v) => d.decode(v)).concat(
        ['text', 1, null, {}, [65]].map((v) => attempt(() => d.decode(v))))`));

  it('encodes every plane, lone surrogates and what is no string', () =>
    agrees(
      "const e = new TextEncoder(); return ['aé€😀\\u0000', 'x\\ud800y', '\\udc00\\ud800', undefined, 12, null, ''].map((v) => [...e.encode(v)]).concat([...e.encode()])",
    ));

  it('encodes into an array as far as there is room for whole characters', () =>
    agrees(`const e = new TextEncoder(); const out = [];
      for (const text of ['aé€😀b', '😀', '\\ud800a', 'é'.repeat(9), '']) for (let size = 0; size < 12; size++) { const a = new Uint8Array(size); out.push([e.encodeInto(text, a), [...a]]) }
      const view = new Uint8Array(6).subarray(2, 5); out.push([e.encodeInto('abcdef', view), [...new Uint8Array(view.buffer)]]);
      return out.concat(attempt(() => e.encodeInto('a', [])), attempt(() => e.encodeInto('a', new Int8Array(1))))`));

  it('encodes a megabyte and decodes it again', async () => {
    const code = `const text = 'aé€😀'.repeat(100_000); return new TextDecoder().decode(new TextEncoder().encode(text)) === text`;
    assert.equal(await resultOf(code), true);
  });

  it('converts base64 as Node does, and refuses what Node refuses', () =>
    agrees(`return ['', 'YQ==', 'YQ', ' Y Q\\n=\\t=', 'YR==', 'Y', 'YQ=', 'YWJj=', '====', '=', 'a*', 'Y=Q=', '/+8', '_-8', '\\u0100', null, 'YQ\\u000b'].map((t) => attempt(() => atob(t))).concat(
      ['', 'a', 'ab', 'abc', '\\u00ff\\u0000', '\\u0100', '😀', null, undefined, 12].map((t) => attempt(() => btoa(t))))`));
});

describe('code-runner: web, crypto and performance', () => {
  it('gives UUIDs of version 4, and never the same', async () => {
    const uuids = (await resultOf(
      'return Array.from({ length: 500 }, () => crypto.randomUUID())',
    )) as string[];
    assert.ok(
      uuids.every((uuid) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(uuid)),
    );
    assert.equal(new Set(uuids).size, 500);
  });

  it('fills any array of integers, in place and up to 65,536 bytes', () =>
    agrees(`const used = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array].map((A) => {
        const a = new A(64); return [crypto.getRandomValues(a) === a, a.some((n) => n != 0)] });
      const part = new Uint8Array(64); crypto.getRandomValues(part.subarray(32));
      return [used, part.subarray(0, 32).every((n) => n === 0), part.subarray(32).some((n) => n > 0), crypto.getRandomValues(new Uint8Array(0)).length,
        crypto.getRandomValues(new Uint32Array(16384)).length, attempt(() => crypto.getRandomValues(new Uint8Array(65537)))]`));

  for (const value of [
    'new Float32Array(1)',
    'new Float64Array(1)',
    '[1]',
    'new DataView(new ArrayBuffer(1))',
    'undefined',
  ]) {
    it(`refuses ${value}`, async () => {
      const code = `try { crypto.getRandomValues(${value}) } catch (e) { return [e.name, e instanceof DOMException] }`;
      assert.deepEqual(await resultOf(code), ['TypeMismatchError', true]);
    });
  }

  it('has a clock that counts from the start of the run, and says when that was', async () => {
    const code = `const before = performance.now(); for (const end = Date.now() + 20; Date.now() < end;);
      const earliest = Date.now(), after = performance.now(), latest = Date.now();
      return [before, after, performance.timeOrigin, performance.timeOrigin, earliest, latest]`;
    const [before, after, origin, again, earliest, latest] = (await resultOf(code)) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    assert.ok(before >= 0 && before < 2000 && after - before >= 18);
    assert.equal(origin, again);
    /* Between the two, however long the program was kept waiting there. */
    assert.ok(origin + after > earliest - 50 && origin + after < latest + 50);
  });

  it('has DOMException with its names and codes', () =>
    agrees(`return [new DOMException('m', 'AbortError').code, String(new DOMException('m', 'TimeoutError')), new DOMException().name, new DOMException('x') instanceof Error,
      attempt(() => DOMException('x')), DOMException.NOT_FOUND_ERR, new DOMException('', 'Own').code]`));

  it('treats a DOMException as the error that it is: thrown, returned, logged', async () => {
    const { name, message, position } = await errorOf("\nthrow new DOMException('gone', 'AbortError')");
    assert.deepEqual([name, message, position?.line], ['AbortError', 'gone', 2]);
    assert.deepEqual(
      await resultOf("return [new DOMException('gone', 'AbortError'), Error.isError(new DOMException())]"),
      [{ name: 'AbortError', message: 'gone' }, true],
    );
  });
});

describe('code-runner: web, against hostile programs', () => {
  it('does not use what a program has put in place of built-in objects', async () => {
    const code = `const fail = () => { throw new Error('patched') };
      const defs = [Object, Reflect, Map.prototype, Set.prototype, Array.prototype, Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype), ArrayBuffer.prototype, DataView.prototype,
        String.prototype, String, Date.prototype, RegExp.prototype, Error.prototype, Number.prototype, BigInt.prototype, Boolean.prototype, DOMException.prototype, Function.prototype, JSON, Math];
      const keep = new Set(['constructor', 'prototype', 'length', 'name', 'message']);
      const input = { a: [1, { b: new Map([[1, new Set([2])]]) }], d: new Date(3), r: /x/g, t: new Uint16Array([7]), n: Object(1) };
      const encoder = new TextEncoder(), decoder = new TextDecoder(), wide = new TextDecoder('utf-16le'), source = new Uint8Array([65, 0]), room = new Uint8Array(8);
      const all = defs.flatMap((object) => Reflect.ownKeys(object).filter((key) => !keep.has(key)).map((key) => [object, key]));
      const global = globalThis; const define = Object.defineProperty; let i = 0; const count = all.length;
      while (i < count) { const object = all[i][0]; const key = all[i][1]; i++; try { define(object, key, { get: fail, set: fail }) } catch {} }
      for (i = 0; i < 3; i++) { const names = { 0: 'TypeError', 1: 'Map', 2: 'Uint8Array' }; global[names[i]] = fail }
      const copy = structuredClone(input);
      const uuid = crypto.randomUUID(); crypto.getRandomValues(room); performance.now(); performance.timeOrigin;
      const text = decoder.decode(encoder.encode('aé')) + wide.decode(source); const into = encoder.encodeInto('é', room);
      return { a: copy.a[0], same: copy.a[1] !== input.a[1], type: typeof uuid, text, into }`;
    assert.deepEqual(await resultOf(code), {
      a: 1,
      same: true,
      type: 'string',
      text: 'aéA',
      into: { read: 1, written: 2 },
    });
  });

  it('has none of it without the feature', async () => {
    const names = [
      'structuredClone',
      'TextEncoder',
      'TextDecoder',
      'atob',
      'btoa',
      'crypto',
      'performance',
      'DOMException',
    ];
    const code = `return ${JSON.stringify(names)}.filter((name) => name in globalThis)`;
    assert.deepEqual(await resultOf(code, { features: ['timers', 'console'] }), []);
  });
});
