/** JavaScript that programs of attacks share: everything that a program can reach, however it is reached. */

/**
 * `reach(onObject, onProperty)` visits every object and function that a program can get hold of, each once, with a path to it that
 * is the same in every run, and every property of it.
 */
export const REACH = `
  const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const ROOTS = { globalThis, tools, async: async () => {}, generator: function* () {}, asyncGenerator: async function* () {},
    list: [][Symbol.iterator](), text: ''[Symbol.iterator](), map: new Map().entries(), set: new Set().values(), matches: 'a'.matchAll(/a/g),
    promise: Promise.resolve(), call: tools.echo };
  function reach(onObject, onProperty) {
    const paths = new Map();
    const queue = [];
    const name = (value, path) => {
      if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return typeof value + ' ' + String(value);
      if (!paths.has(value)) { paths.set(value, path); queue.push(value); }
      return paths.get(value);
    };
    for (const key of ownKeys(ROOTS)) name(ROOTS[key], key);
    for (let value = queue.shift(); value !== undefined; value = queue.shift()) {
      const path = paths.get(value);
      onObject(value, path, name(getPrototypeOf(value), path + '.[prototype]'));
      for (const key of ownKeys(value)) {
        const at = path + '.' + String(key);
        const descriptor = getOwnPropertyDescriptor(value, key);
        const { get, set, value: held } = descriptor;
        onProperty(value, key, descriptor, at, [name(held, at), name(get, at + '.[get]'), name(set, at + '.[set]')]);
      }
    }
  }
`;

/** Returns the whole world of a program as lines: what is where, of what kind, with which source and which attributes. */
export const DESCRIBE_WORLD = `${REACH}
  const lines = [];
  reach(
    (value, path, prototype) => lines.push([path, Object.prototype.toString.call(value), Object.isExtensible(value), prototype,
      typeof value === 'function' ? Function.prototype.toString.call(value) : ''].join(' ')),
    (_, __, { writable, enumerable, configurable }, at, names) => lines.push([at, writable, enumerable, configurable, ...names].join(' ')),
  );
  return lines;
`;

/** `texts()`: every text that can be reached: values, keys, descriptions of symbols, sources of functions. */
export const TEXTS = `${REACH}
  function texts() {
    const all = [];
    reach(
      (value) => { if (typeof value === 'function') all.push(Function.prototype.toString.call(value)) },
      (_, key, { value }) => { all.push(String(key)); if (typeof value === 'string' || typeof value === 'symbol') all.push(String(value)) },
    );
    return all;
  }
`;
