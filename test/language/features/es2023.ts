/** ECMAScript 2023. */
import { edition } from '../feature.js';

export const es2023 = edition('2023', {
  Arrays: {
    'findLast, findLastIndex': `
      const odd = (n) => n % 2 === 1; return [1, 3, 4].findLast(odd) === 3 && [1, 3, 4].findLastIndex(odd) === 1;`,
    toSorted: 'const a = [2, 1]; return a.toSorted().join() === "1,2" && a.join() === "2,1";',
    toReversed: 'const a = [1, 2]; return a.toReversed().join() === "2,1" && a.join() === "1,2";',
    toSpliced: 'const a = [1, 2, 3]; return a.toSpliced(1, 1, 8, 9).join() === "1,8,9,3" && a.length === 3;',
    with: 'const a = [1, 2]; return a.with(-1, 9).join() === "1,9" && a[1] === 2;',
    'the same on typed arrays': `
      const a = new Uint8Array([2, 1]);
      return a.toSorted().join() === '1,2' && a.toReversed().join() === '1,2' && a.with(0, 7)[0] === 7 && a.findLast(() => true) === 1;`,
  },
  Other: {
    'symbols as keys of WeakMap': `
      const key = Symbol('k'), map = new WeakMap([[key, 1]]); return map.get(key) === 1;`,
  },
});
