/** ECMAScript 2022. */
import { edition } from '../feature.js';

export const es2022 = edition('2022', {
  Classes: {
    'public fields': `class A { x = 1; ['y'] = this.x + 1; 'z'; } const a = new A(); return a.y === 2 && 'z' in a;`,
    'private fields': `
      class A { #x = 1; get x() { return this.#x; } bump() { return ++this.#x; } }
      const a = new A(); return a.bump() === 2 && a.x === 2 && !('#x' in a) && Object.keys(a).length === 0;`,
    'private methods and accessors': `
      class A { #m() { return 1; } get #a() { return 2; } set #a(v) { this.v = v; } go() { this.#a = 5; return this.#m() + this.#a + this.v; } }
      return new A().go() === 8;`,
    'static fields and methods, private ones too': `
      class A { static x = 1; static #y = 2; static #m() { return A.#y; } static sum() { return this.x + this.#m(); } }
      return A.sum() === 3;`,
    'static blocks': 'let seen; class A { static #x = 4; static { seen = this.#x; } } return seen === 4;',
    'brand checks, #x in object': `class A { #x; static is(o) { return #x in o; } } return A.is(new A()) && !A.is({});`,
  },
  'Built-ins': {
    'at()': `return [1, 2].at(-1) === 2 && 'ab'.at(-1) === 'b' && new Uint8Array([1, 2]).at(-1) === 2 && [].at(0) === undefined;`,
    'Object.hasOwn': `return Object.hasOwn({ a: 1 }, 'a') && !Object.hasOwn({}, 'toString');`,
    'Error cause': `const cause = {}; return new Error('m', { cause }).cause === cause && !('cause' in new Error('m'));`,
    'RegExp match indices (d)': `
      const { indices } = /a(?<rest>b+)/d.exec('xabb');
      return indices[0].join() === '1,4' && indices.groups.rest.join() === '2,4';`,
  },
  Modules: {
    'top-level await': 'const value = await Promise.resolve(1); return value === 1;',
  },
});
