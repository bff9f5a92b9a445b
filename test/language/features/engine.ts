/** What an edition leaves to an engine, or what programs here may or may not use: questions that readers ask. */
import { edition } from '../feature.js';

const refused = (code: string): string =>
  `try { Function(${JSON.stringify(code)}); return false; } catch (error) { return error instanceof SyntaxError; }`;

export const engineFacts = edition('engine', {
  'The program': {
    'may use return and await at its top level': 'return (await 1) === 1;',
    'is strict: an undeclared name cannot be assigned':
      'try { undeclared = 1; return false; } catch (error) { return error instanceof ReferenceError; }',
    'is strict: this is undefined in a plain function':
      'return (function () { return this; })() === undefined;',
    'cannot have import or export declarations': refused('import a from "b";'),
    'cannot have with statements': `try { (0, eval)('"use strict"; with ({}) {}'); return false; } catch (error) { return error instanceof SyntaxError; }`,
  },
  'Code from text': {
    'eval()': `return eval('1 + 1') === 2 && (0, eval)('typeof tools') === 'object';`,
    'new Function(), sloppy mode inside': `return new Function('a', 'return a * 2')(4) === 8 && Function('return this')() === globalThis;`,
    'AsyncFunction, GeneratorFunction': `
      const of = (f) => Object.getPrototypeOf(f).constructor;
      return (await of(async () => {})('return 1')()) === 1 && [...of(function* () {})('yield 1')()].join() === '1';`,
    'functions show their source': `return (function named(a) { return a; }).toString() === 'function named(a) { return a; }';`,
  },
  'Regular expressions': {
    lookbehind: `return /(?<=a)b/.test('ab') && !/(?<=a)b/.test('b') && /(?<!a)b/.test('cb');`,
    'named groups': `return 'a-b'.replace(/(?<x>.)-(?<y>.)/, '$<y>-$<x>') === 'b-a';`,
    'Unicode properties': `return /^\\p{Script=Greek}\\p{Lu}$/u.test('αA') && /^\\P{L}$/u.test('1');`,
    'sticky (y) and dotAll (s)': `const y = /b/y; y.lastIndex = 1; return y.test('ab') && /a.b/s.test('a\\nb');`,
    'case folding beyond ASCII': `return /^straße$/iu.test('STRAßE') && /^ä$/i.test('Ä');`,
    'backreferences of groups of variable length': `return /^(a+)b\\1$/.test('aabaa') && !/^(a+)b\\1$/.test('aaba');`,
  },
  'Text and numbers': {
    'String.prototype.normalize': `return 'e\\u0301'.normalize('NFC') === '\\u00e9' && 'ﬁ'.normalize('NFKD') === 'fi';`,
    'upper and lower case of all of Unicode': `return 'straße'.toUpperCase() === 'STRASSE' && 'ΑΣ'.toLowerCase() === 'ας';`,
    'localeCompare by collation of a language': `return ['ä', 'z', 'a'].sort((x, y) => x.localeCompare(y, 'de')).join() === 'a,ä,z';`,
    'toLocaleString of numbers by language': `return (1234.5).toLocaleString('de-DE') === '1.234,5';`,
    Intl: `return typeof Intl === 'object' && new Intl.NumberFormat('de').format(1234.5) === '1.234,5';`,
    'numbers to shortest text and back': `return String(0.1 + 0.2) === '0.30000000000000004' && Number('5e-324') === 5e-324 && (25).toString(36) === 'p';`,
    'toFixed, toPrecision, toExponential': `return (1.005).toFixed(2) === '1.00' && (123.456).toPrecision(4) === '123.5' && (0.00001).toExponential(1) === '1.0e-5';`,
  },
  Dates: {
    'local time is UTC': `return new Date(0).getTimezoneOffset() === 0 && new Date(2026, 6, 1).toISOString() === '2026-07-01T00:00:00.000Z';`,
    'ISO 8601 and RFC 2822 are parsed': `
      return Date.parse('2026-01-02T03:04:05.678+01:00') === 1767319445678 && Date.parse('Fri, 02 Jan 2026 03:04:05 GMT') === 1767323045000;`,
    'toLocaleDateString by language and options': `return new Date(0).toLocaleDateString('de-DE', { month: 'long' }) === 'Januar';`,
  },
  'Errors and stacks': {
    'error.stack is a string with the names of functions': `
      function inner() { return new Error('m').stack; } return /inner/.test(inner());`,
    'too deep recursion is a RangeError that can be caught': `
      const f = () => f() + 1; try { f(); return false; } catch (error) { return error instanceof RangeError; }`,
    'a text that is too long is a RangeError that can be caught': `
      const grown = () => { let text = 'x'; for (;;) text += text; };
      const isRefused = (make) => { try { make(); return false; } catch (error) { return error instanceof RangeError; } };
      return isRefused(grown) && isRefused(() => 'x'.repeat(2 ** 30)) && isRefused(() => 'x'.padEnd(2 ** 30));`,
    'recursion of 3,000 calls': 'const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return f(3000) === 3000;',
    'recursion of 10,000 calls':
      'const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return f(10_000) === 10_000;',
    'proper tail calls': `'use strict'; const f = (n) => (n === 0 ? true : f(n - 1)); return f(1e6);`,
    'Error.captureStackTrace, Error.stackTraceLimit': `
      const target = {}; Error.captureStackTrace(target); return typeof target.stack === 'string' && typeof Error.stackTraceLimit === 'number';`,
  },
  'Shared memory': {
    SharedArrayBuffer: `return new SharedArrayBuffer(8).byteLength === 8;`,
    Atomics: `return typeof Atomics === 'object' && Atomics.add(new Int32Array(1), 0, 1) === 0;`,
  },
});
