/** ECMAScript 2024. */
import { edition } from '../feature.js';

export const es2024 = edition('2024', {
  Grouping: {
    'Object.groupBy': `
      const groups = Object.groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even'));
      return groups.odd.join() === '1,3' && Object.getPrototypeOf(groups) === null;`,
    'Map.groupBy': 'const key = {}; return Map.groupBy([1, 2], () => key).get(key).join() === "1,2";',
  },
  Binary: {
    'ArrayBuffer.prototype.transfer': `
      const a = new Uint8Array([1, 2]).buffer, b = a.transfer();
      return a.detached && a.byteLength === 0 && new Uint8Array(b)[1] === 2 && b.transferToFixedLength().byteLength === 2;`,
    'resizable ArrayBuffer': `
      const buffer = new ArrayBuffer(2, { maxByteLength: 8 }), view = new Uint8Array(buffer);
      buffer.resize(4); return buffer.resizable && view.length === 4;`,
    'growable SharedArrayBuffer': `
      const buffer = new SharedArrayBuffer(2, { maxByteLength: 8 }); buffer.grow(4); return buffer.byteLength === 4;`,
    'Atomics.waitAsync': `return typeof Atomics.waitAsync === 'function';`,
  },
  Other: {
    'Promise.withResolvers':
      'const { promise, resolve } = Promise.withResolvers(); resolve(3); return (await promise) === 3;',
    'String.prototype.isWellFormed, toWellFormed': `
      return 'a'.isWellFormed() && !'\\ud800'.isWellFormed() && '\\ud800'.toWellFormed() === '\\ufffd';`,
    'RegExp set notation (v): difference and intersection': `
      return /^[\\p{L}--[a-z]]$/v.test('A') && !/^[\\p{L}--[a-z]]$/v.test('a') && /^[\\w&&\\d]$/v.test('1');`,
    'RegExp set notation (v): properties of strings': `return /^\\p{RGI_Emoji}$/v.test('👨‍👩‍👧');`,
  },
});
