/** Hints for failures that are not the program's errors: limits, results, and the ends that a run can come to. */
import type { Failure, FailureContext } from './failure.js';

type Row = readonly [kind: string, pattern: RegExp, hint: string];

const ROWS: readonly Row[] = [
  [
    'timeout',
    /CPU/,
    'Do less work: look for a loop that never ends, a regular expression that backtracks, or data that a tool could filter.',
  ],
  [
    'timeout',
    /waiting for .* tool/,
    'A tool took too long: ask it for less, run independent calls together with Promise.all, or make fewer calls.',
  ],
  ['timeout', /waiting for a timer/, 'Wait for less time: the limit counts while a timer runs.'],
  [
    'timeout',
    /./,
    'Look for a loop or a tool call that takes too long; run independent calls together with Promise.all; ask for less in one program.',
  ],
  ['memory', /./, 'Keep less at once: filter or page through the data, and keep only what the result needs.'],
  ['result_limit', /./, 'Return a summary: the fields, rows or counts that are needed, not everything.'],
  [
    'result',
    /promise/,
    'Await it before it is returned; use `await Promise.all(list)` for a list of promises.',
  ],
  ['result', /function/, 'Return data. If it is to be called, call it: name(), and await its value.'],
  [
    'result',
    /BigInt/i,
    'Convert it before it is returned: Number(value), or String(value) to keep every digit.',
  ],
  ['result', /\b(?:Map|map)\b/, 'Convert it before it is returned: Object.fromEntries(map), or [...map].'],
  ['result', /\b(?:Set|set)\b/, 'Convert it before it is returned: [...set].'],
  ['result', /cycle|circular/i, 'Return a copy without the reference that leads back.'],
  [
    'result',
    /NaN|Infinity|number/,
    'Return null or a string in its place; check divisions and parsed numbers.',
  ],
  ['result', /symbol/i, 'Return its description, a string, in its place.'],
  ['result', /deep|nest/i, 'Return a flatter value.'],
  ['result', /./, 'Return plain data: objects, arrays, strings, finite numbers, booleans and null.'],
  [
    'limit',
    /tool call/,
    'Make fewer calls: get several items with one call where a tool can, stop loops early, and do not call again what is known.',
  ],
  [
    'javascript',
    /never settles|never settle/,
    'Await only tool calls and promises that something resolves; call resolve in every `new Promise`.',
  ],
];

/** A value without `return` that was taken for the result may not be meant as one. */
const LAST_EXPRESSION =
  ' The last expression of the program is its result: end with `return` to return something else.';

export function kindHint({ kind, message }: Failure, { reading }: FailureContext): string | undefined {
  const hint = ROWS.find(([rowKind, pattern]) => rowKind === kind && pattern.test(message))?.[2];
  const isTaken = kind === 'result' && reading.rule.endsWith('last-expression');
  return hint !== undefined && isTaken ? hint + LAST_EXPRESSION : hint;
}
