/** ECMAScript 2026, and proposals that some engines have. */
import { edition, exists } from '../feature.js';

export const es2026 = edition('2026', {
  'Built-ins': {
    'Array.fromAsync': `
      async function* all() { yield 1; yield 2; } return (await Array.fromAsync(all())).join() === '1,2';`,
    'Error.isError':
      'return Error.isError(new TypeError()) && !Error.isError({ __proto__: Error.prototype });',
    'Math.sumPrecise': 'return Math.sumPrecise([1e20, 0.1, -1e20]) === 0.1;',
    'Iterator.concat': `return Iterator.concat([1], [2]).toArray().join() === '1,2';`,
    'Map.prototype.getOrInsert, getOrInsertComputed': `
      const map = new Map(); return map.getOrInsert('a', 1) === 1 && map.getOrInsertComputed('b', () => 2) === 2;`,
    'Uint8Array to and from base64': `
      return Uint8Array.fromBase64('AQI=').join() === '1,2' && new Uint8Array([1, 2]).toBase64() === 'AQI=';`,
    'Uint8Array to and from hexadecimal': `
      return Uint8Array.fromHex('01ff').join() === '1,255' && new Uint8Array([1, 255]).toHex() === '01ff';`,
    'JSON.parse with source text': `
      let source; JSON.parse('1.0', (key, value, context) => { source = context?.source; }); return source === '1.0';`,
    'JSON.rawJSON': `return JSON.stringify({ n: JSON.rawJSON('1e1000') }) === '{"n":1e1000}';`,
  },
});

export const proposals = edition('proposal', {
  Syntax: {
    'using, await using': `
      let disposed = 0; { using a = { [Symbol.dispose]() { disposed++; } }; } return disposed === 1;`,
    decorators: `const twice = (method) => function () { return method() * 2; }; class A { @twice m() { return 2; } } return new A().m() === 4;`,
    'pattern matching, match': `return match (1) { when 1: true; };`,
    'pipeline |>': 'return (1 |> % + 1) === 2;',
  },
  'Built-ins': {
    'Symbol.dispose, DisposableStack': exists('DisposableStack', 'AsyncDisposableStack', 'SuppressedError'),
    Temporal: `return typeof Temporal === 'object' && Temporal.PlainDate.from('2026-01-31').add({ months: 1 }).day === 28;`,
    'Atomics.pause': exists('Atomics.pause'),
    ShadowRealm: exists('ShadowRealm'),
    AsyncContext: `return typeof AsyncContext === 'object';`,
    'Iterator.zip': exists('Iterator.zip'),
    'Error.captureStackTrace': exists('Error.captureStackTrace'),
    'Math.clamp': exists('Math.clamp'),
  },
});
