/** ECMAScript 2020. */
import { edition } from '../feature.js';

export const es2020 = edition('2020', {
  Syntax: {
    'optional chaining': `
      const no = null, yes = { a: [() => 7] }; let calls = 0;
      return no?.a === undefined && no?.[calls++] === undefined && no?.(calls++) === undefined && calls === 0 &&
        yes?.a?.[0]?.() === 7 && no?.a.b.c === undefined && delete no?.a;`,
    'nullish coalescing': `return (null ?? 1) === 1 && (undefined ?? 1) === 1 && (0 ?? 1) === 0 && ('' ?? 1) === '';`,
    'import()': `return typeof (await import('data:text/javascript,export default 1')) === 'object';`,
  },
  BigInt: {
    'literals, arithmetic, comparison': `
      return 2n ** 64n === 18446744073709551616n && 7n / 2n === 3n && -7n % 2n === -1n && 1n < 2 && 2n == 2 && 2n !== 2 &&
        (5n & 3n) === 1n && (1n << 70n) >> 69n === 2n;`,
    'no mixing with numbers': `try { return 1n + 1 === 0; } catch (error) { return error instanceof TypeError; }`,
    'asIntN, asUintN': `return BigInt.asIntN(8, 255n) === -1n && BigInt.asUintN(8, -1n) === 255n;`,
    'from and to text': `return BigInt('0xff') === 255n && (255n).toString(16) === 'ff' && typeof 1n === 'bigint';`,
    'BigInt64Array, BigUint64Array': `
      return new BigInt64Array([-1n])[0] === -1n && new BigUint64Array([-1n])[0] === 18446744073709551615n;`,
  },
  'Built-ins': {
    globalThis: `return globalThis.globalThis === globalThis && typeof globalThis.Array === 'function';`,
    'Promise.allSettled': `
      const [a, b] = await Promise.allSettled([1, Promise.reject(2)]);
      return a.status === 'fulfilled' && a.value === 1 && b.status === 'rejected' && b.reason === 2;`,
    'String.prototype.matchAll': `
      return [...'a1b22'.matchAll(/[a-z](\\d+)/g)].map((match) => match[1]).join() === '1,22';`,
    'order of for-in': `const keys = []; for (const key in { b: 1, 2: 1, a: 1, 1: 1 }) keys.push(key); return keys.join() === '1,2,b,a';`,
  },
});
