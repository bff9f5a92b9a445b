/** ECMAScript 2025. */
import { edition } from '../feature.js';

const SETS = 'const a = new Set([1, 2, 3]), b = new Set([2, 3, 4]);';

export const es2025 = edition('2025', {
  Iterators: {
    'Iterator, Iterator.from': `
      return [].values() instanceof Iterator && Iterator.from({ next: () => ({ done: true }) }).toArray().length === 0;`,
    map: `return [1, 2].values().map((n) => n * 2).toArray().join() === '2,4';`,
    filter: `return [1, 2].values().filter((n) => n > 1).toArray().join() === '2';`,
    'take, drop': `return [1, 2, 3].values().drop(1).take(1).toArray().join() === '2';`,
    flatMap: `return [1, 2].values().flatMap((n) => [n, n]).toArray().join() === '1,1,2,2';`,
    reduce: 'return [1, 2].values().reduce((sum, n) => sum + n) === 3;',
    'forEach, some, every, find': `
      let count = 0; [1, 2].values().forEach(() => count++);
      return count === 2 && [1].values().some((n) => n === 1) && [1].values().every((n) => n === 1) && [1, 2].values().find((n) => n > 1) === 2;`,
    'are lazy': `
      let made = 0; function* all() { for (;;) { made++; yield made; } }
      return all().map((n) => n).take(2).toArray().length === 2 && made === 2;`,
  },
  Sets: {
    union: `${SETS} return [...a.union(b)].join() === '1,2,3,4';`,
    intersection: `${SETS} return [...a.intersection(b)].join() === '2,3';`,
    difference: `${SETS} return [...a.difference(b)].join() === '1';`,
    symmetricDifference: `${SETS} return [...a.symmetricDifference(b)].join() === '1,4';`,
    'isSubsetOf, isSupersetOf, isDisjointFrom': `
      ${SETS} return new Set([1]).isSubsetOf(a) && a.isSupersetOf(new Set([1])) && a.isDisjointFrom(new Set([9]));`,
  },
  'Regular expressions': {
    'modifiers, (?i:…)': `return new RegExp('^a(?i:b)$').test('aB') && !new RegExp('^a(?i:b)$').test('AB');`,
    'duplicate named groups': `return new RegExp('(?<y>\\\\d{4})-x|x-(?<y>\\\\d{4})').exec('x-2025').groups.y === '2025';`,
    'RegExp.escape': `return new RegExp(RegExp.escape('a.b*')).test('a.b*') && !new RegExp(RegExp.escape('a.b')).test('axb');`,
  },
  Other: {
    'Promise.try': `
      const thrown = await Promise.try(() => { throw 1; }).catch((reason) => reason);
      return thrown === 1 && (await Promise.try((a) => a, 2)) === 2;`,
    'Float16Array, Math.f16round, DataView getFloat16': `
      return new Float16Array([1.337])[0] === Math.f16round(1.337) && new DataView(new ArrayBuffer(2)).getFloat16(0) === 0;`,
    'import attributes, JSON modules': `return typeof (await import('data:application/json,1', { with: { type: 'json' } })) === 'object';`,
  },
});
