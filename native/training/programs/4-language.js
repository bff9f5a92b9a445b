// Not what a model would write, but each thing that it may use: what no program of the training runs, is compiled for size.

// control flow, closures, classes
function fib(n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
class Point {
  #x;
  static made = 0;
  constructor(x, y = 2) {
    this.#x = x;
    this.y = y;
    Point.made++;
  }
  get x() {
    return this.#x;
  }
  set x(v) {
    this.#x = v;
  }
  add(o) {
    return new this.constructor(this.x + o.x, this.y + o.y);
  }
  toString() {
    return `(${this.x}, ${this.y})`;
  }
}
class Named extends Point {
  constructor(name, ...rest) {
    super(...rest);
    this.name = name;
  }
  toString() {
    return this.name + super.toString();
  }
}
const out = [];
out.push(fib(18));
let p = new Point(1);
for (let i = 0; i < 2000; i++) p = p.add(new Point(i & 3, i % 5));
out.push(String(p), Point.made, String(new Named('n', 3)));
outer: for (let i = 0; i < 60; i++) {
  for (let j = 0; ; j++) {
    if (j === i) continue outer;
    if (i * j > 900) break outer;
    switch (j % 4) {
      case 0:
        continue;
      case 1:
      case 2:
        out.length;
        break;
      default:
        void 0;
    }
  }
}
let w = 0;
while (true) {
  if (++w > 500) break;
}
do {
  w -= 3;
} while (w > 0);
const counter = (() => {
  let c = 0;
  return () => ++c;
})();
for (let i = 0; i < 3000; i++) counter();

// arrays
const numbers = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 3001);
out.push(
  [...numbers].sort((a, b) => a - b)[10],
  numbers.slice().sort()[10],
  numbers
    .map((n) => n * 2)
    .filter((n) => n % 3 === 0)
    .reduce((s, n) => s + n, 0),
);
out.push(
  numbers.some((n) => n === 5),
  numbers.every((n) => n >= 0),
  numbers.find((n) => n > 100),
  numbers.findIndex((n) => n === 77),
  numbers.indexOf(9),
  numbers.includes(11),
);
out.push(
  [1, [2, [3]]].flat(2).concat([4], 5).reverse().join('-'),
  [3, 1, 2].toSorted().at(-1),
  numbers.splice(5, 10).length,
  numbers.flatMap((n) => [n, n]).length,
);
numbers.forEach((n, i) => {
  numbers[i] = n + 0.5;
});
numbers.push(1, 2);
numbers.pop();
numbers.shift();
numbers.unshift(0);
numbers.fill(1, 0, 4);
out.push(Object.entries(Object.groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even'))).length);

// strings
let text = '';
for (let i = 0; i < 1500; i++) text += 'item ' + i + (i % 2 ? ', ' : '; ');
out.push(
  text.length,
  text
    .split(', ')
    .map((s) => s.trim())
    .join('|').length,
  text.replace('item', 'x').length,
  text.replaceAll('item', 'thing').length,
  text.slice(5, 50).toUpperCase().padStart(60, '*').indexOf('M'),
  text.charCodeAt(3),
  text.at(-2),
  text.startsWith('item'),
  text.endsWith('; '),
  text.includes('77'),
  text.substring(1, 4),
  text.lastIndexOf('9'),
  text.codePointAt(2),
  'ab'.repeat(20),
  'ünïcödé €'.normalize('NFD').length,
  'a-b'.localeCompare('a-c'),
  [...'añ😀'].length,
  String.fromCharCode(65, 8364),
  encodeURIComponent('a b&ü'),
  decodeURIComponent('a%20b'),
);

// regular expressions
out.push(
  (text.match(/item (\d+)[,;]/g) ?? []).length,
  text.replace(/(\d+)/g, (m, d) => d * 2).length,
  /^(?<y>\d{4})-(?<m>\d\d)$/u.exec('2024-05').groups.m,
  'a1b22c'.split(/\d+/).length,
  [...'k=v; x=y'.matchAll(/(\w)=(\w)/g)].length,
  /(a+)+b/.test('aaaaaaaaaaaac'),
  /[\p{L}]+/u.test('é'),
  'AbC'.replace(/b/i, '-'),
  /(?<=\$)\d+/.exec('cost $42')[0],
);

// objects
const big = {};
for (let i = 0; i < 1500; i++) big['key' + (i % 300)] = { i, nested: { list: [i, i + 1] } };
out.push(
  Object.keys(big).length,
  Object.values(big).length,
  Object.entries(big).map(([k, v]) => k + v.i).length,
  Object.fromEntries([['a', 1]]).a,
  'key5' in big,
  delete big.key5,
  Object.assign({}, { a: 1 }, null).a,
  structuredCloneOf(big).key6.i,
  Object.hasOwn(big, 'key7'),
  Object.isFrozen(Object.freeze({})),
  Object.getOwnPropertyNames(Point.prototype).length,
);
function structuredCloneOf(value) {
  return JSON.parse(JSON.stringify(value));
}
for (const key in big) if (key === 'none') out.push(key);
const { key1, ...others } = big;
out.push(Object.keys(others).length, key1?.nested?.list?.[1] ?? 'none', others.none?.x);
out.push(
  JSON.stringify(big, null, 2).length,
  JSON.stringify({
    d: new Date(0),
    u: undefined,
    n: [undefined, NaN, 1e21, -0.5, 123456789.123],
    s: 'q"\n\u2028',
  }),
  JSON.parse('[1,-2.5e3,"x",{"y":[]},true,false,null]', (k, v) => v).length,
);

// maps, sets, iterators, generators
const map = new Map();
for (let i = 0; i < 1500; i++) map.set(i % 400, (map.get(i % 400) ?? 0) + 1);
map.delete(3);
const set = new Set(numbers);
set.add('x');
out.push(
  map.size,
  set.has('x'),
  [...map.entries()].length,
  [...set].length,
  new WeakMap([[map, 1]]).get(map),
);
map.forEach((v, k) => {
  if (v < 0) out.push(k);
});
function* naturals(n) {
  for (let i = 0; i < n; i++) yield i;
  return n;
}
let s = 0;
for (const n of naturals(800)) s += n;
out.push(s, [...naturals(3)].length, Array.from(naturals(4)).length, Math.max(...naturals(5)));
const iterable = {
  *[Symbol.iterator]() {
    yield* [1, 2, 3];
  },
};
out.push([...iterable].length);

// numbers, Math, BigInt, typed arrays, dates
let f = 0;
for (let i = 1; i < 4000; i++) {
  f +=
    Math.sqrt(i) / ((i % 7) + 1) -
    Math.floor(i / 3) +
    (i ^ 5) +
    (i << 2) -
    (i >>> 1) +
    (i | 1) -
    (i & 12) +
    ~i +
    -i;
  f = f > 1e9 ? 0 : f;
}
out.push(
  f.toFixed(2),
  (255).toString(16),
  parseInt('42px', 10),
  parseFloat('3.14'),
  Number('0x1f'),
  (1234.5678).toPrecision(6),
  0.1 + 0.2,
  1e300 * 10,
  Number.isInteger(5),
  Math.round(2.5),
  2 ** 10 + 2 ** 8,
  Math.min(1, 2),
  Math.hypot(3, 4),
  Math.sin(1) + Math.log(2) + Math.exp(1),
  isNaN('x'),
  17 % 5,
  7.5 % 2,
  (-7 / 2) | 0,
  Number.MAX_SAFE_INTEGER,
);
out.push(String(((2n ** 64n + 12345n) * 3n) / 7n - 1n), BigInt.asUintN(8, 300n) === 44n);
const bytes = new Uint8Array(4096);
for (let i = 0; i < bytes.length; i++) bytes[i] = i * 3;
const floats = new Float64Array(512);
for (let i = 0; i < 4096; i++) floats[i % 512] += bytes[i] * 0.5;
out.push(
  bytes.subarray(3, 9).length,
  floats.reduce((a, b) => a + b, 0),
  new DataView(bytes.buffer).getUint32(4),
);
const date = new Date(Date.UTC(2024, 1, 29, 12, 30));
out.push(
  date.toISOString(),
  date.getUTCDay(),
  new Date('2024-03-01T00:00:00Z') - date,
  Date.parse('2020-01-01'),
);

// symbols, proxies, getters, tagged templates, errors
const proxy = new Proxy({ a: 1 }, { get: (t, k, r) => Reflect.get(t, k, r) ?? 'none', has: () => true });
out.push(
  proxy.a,
  proxy.b,
  'z' in proxy,
  Symbol.for('x').toString(),
  ((parts, ...v) => parts.raw.join('/') + v.length)`a${1}b${2}`,
);
const thing = {
  get g() {
    return 1;
  },
  set g(v) {},
  ['com' + 'puted']: 2,
  async m() {
    return this.g;
  },
  toString() {
    return 'thing';
  },
};
out.push(thing.g, thing.computed, `${thing}`, typeof thing.m, await thing.m(), thing + '');
for (const bad of [
  () => null.x,
  () => undefinedName,
  () => {
    throw new TypeError('own', { cause: 1 });
  },
  () => [].reduce((a) => a),
  () => new Array(-1),
  () => JSON.parse('{'),
  () => decodeURIComponent('%'),
  () =>
    (function r() {
      r();
    })(),
]) {
  try {
    bad();
  } catch (error) {
    out.push(error.name + ': ' + error.message);
  } finally {
    out.length;
  }
}

// promises
const sleepless = async (n) => {
  for (let i = 0; i < n; i++) await null;
  return n;
};
out.push(
  (await Promise.allSettled([sleepless(20), Promise.reject(new Error('no')), 3])).length,
  await Promise.race([sleepless(3), sleepless(30)]),
  await Promise.any([Promise.reject(1), sleepless(2)]),
  await new Promise((resolve) => resolve(5)).then((v) => v + 1).finally(() => {}),
);
async function* stream(n) {
  for (let i = 0; i < n; i++) yield i;
}
let t = 0;
for await (const n of stream(30)) t += n;
out.push(t);

// tools, with data
const pages = await Promise.all(
  [1, 2, 3].map((page) =>
    tools.a({
      page,
      items: Array.from({ length: 20 }, (_, id) => ({
        id,
        name: `n${id}`,
        price: id * 1.25,
        tags: ['a', 'b'],
        open: id % 2 === 0,
        none: null,
      })),
    }),
  ),
);
const items = pages.flatMap(({ items }) => items);
const byTag = items.reduce((groups, item) => {
  for (const tag of item.tags) (groups[tag] ??= []).push(item);
  return groups;
}, {});
out.push(
  Object.entries(byTag)
    .map(([tag, list]) => ({ tag, total: list.reduce((sum, { price }) => sum + price, 0).toFixed(2) }))
    .sort((x, y) => y.total - x.total || x.tag.localeCompare(y.tag)),
);
console.log(
  'items',
  items.length,
  items[0],
  [1, 'two', null],
  new Map([[1, { a: 1 }]]),
  new Set([1]),
  new Error('shown'),
  () => 1,
  Symbol('s'),
  10n,
  undefined,
  -0,
);
console.error('done %s', 1);
console.info({ deep: { er: { and: { more: [1, 2, { x: 1 }] } } } });
try {
  await tools.a('not an object');
} catch (error) {
  out.push(error.message);
}
return { out, items: items.slice(0, 3), byTag: Object.keys(byTag) };
