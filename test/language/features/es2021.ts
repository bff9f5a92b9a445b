/** ECMAScript 2021. */
import { edition } from '../feature.js';

export const es2021 = edition('2021', {
  Syntax: {
    'logical assignment': `
      let a = null, b = 0, c = 1; a ??= 1; b ||= 2; c &&= 3;
      const frozen = Object.freeze({ x: 1 }); frozen.x ??= 2; frozen.x ||= 2;
      return a === 1 && b === 2 && c === 3;`,
    'numeric separators': 'return 1_000_000 === 1e6 && 0xff_ff === 65535 && 1_0n === 10n;',
  },
  'Built-ins': {
    'String.prototype.replaceAll': `return 'a.a.a'.replaceAll('.', '$&-') === 'a.-a.-a' && 'aXbX'.replaceAll(/x/gi, '') === 'ab';`,
    'Promise.any': `return (await Promise.any([Promise.reject(1), Promise.resolve(2)])) === 2;`,
    AggregateError: `
      try { await Promise.any([Promise.reject(1), Promise.reject(2)]); return false; }
      catch (error) { return error instanceof AggregateError && error.errors.join() === '1,2'; }`,
    WeakRef: 'const target = {}; return new WeakRef(target).deref() === target;',
    FinalizationRegistry: `
      const registry = new FinalizationRegistry(() => {}), target = {}, token = {};
      registry.register(target, 1, token); return registry.unregister(token) && typeof target === 'object';`,
    'stable sort': `
      const rows = Array.from({ length: 600 }, (_, i) => ({ i, k: i % 3 })).sort((a, b) => a.k - b.k);
      return rows.every(({ i, k }, at) => at === 0 || rows[at - 1].k < k || rows[at - 1].i < i);`,
  },
});
