// Any text either runs, or fails as data, with an error that points into the text; and the pool is as well as before.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPool, type Pool, type RunError, type RunResult } from 'wardenpool';
import { parameters, seed } from './parameters.js';
import { programText } from './program-text.js';

const TEXTS = 250;

/** What a program can do wrong. A crash, a violation or an internal error would be our fault, or the engine's. */
const KINDS_OF_PROGRAMS = new Set(['javascript', 'timeout', 'memory', 'result', 'result_limit', 'limit']);

/** As many lines as a text can be thought to have. */
const linesOf = (text: string): string[] => text.split(/\r\n|[\n\r\u2028\u2029]/);

const double = ({ value }: { value: number }) => ({ value: value * 2 });

function check(run: RunResult<unknown>, text: string): void {
  if (run.ok) return;
  const { kind, name, message, position } = run.error;
  const what = `${kind}: ${message} for ${JSON.stringify(text)}`;
  assert.ok(KINDS_OF_PROGRAMS.has(kind), what);
  assert.notEqual(message, '', what);
  if (position !== undefined) checkPosition(position, text, what);
  else
    assert.ok(name !== 'SyntaxError' || /is empty/.test(message), `a syntax error has a position: ${what}`);
}

function checkPosition(position: NonNullable<RunError['position']>, text: string, what: string): void {
  const { line, column, sourceLine } = position;
  const own = linesOf(text)[line - 1];
  assert.ok(own !== undefined, `line ${line} is not in the text: ${what}`);
  // The engine counts U+2028 and U+2029 as ends of lines in some places and not in others.
  if (/[\u2028\u2029]/.test(text)) return;
  // Of a long line, the part around the place is shown.
  const shown = sourceLine.replaceAll('…', '');
  assert.ok(
    own === sourceLine || (own.length > 200 && own.includes(shown)),
    `another line is shown: ${what}`,
  );
  assert.ok(column >= 1 && column <= own.length + 1, `column ${column} is not in its line: ${what}`);
}

describe('properties: any text as a program', () => {
  let pool: Pool;
  before(async () => {
    // Its CPU time is what ends a program that does not end: with hundreds at once, each takes far longer than it would alone.
    pool = await createPool({ threads: 1, maxQueue: 1_000_000, limits: { timeoutMs: 30_000, cpuMs: 200 } });
  });
  after(() => pool.close());

  it('runs, or fails with a position inside the text', async () => {
    // Sampled, not shrunk: a failure names its text, and that is short.
    const texts = fc.sample(programText, parameters(TEXTS));
    const checked = texts.map(async (text) => check(await pool.run(text, { double }), text));
    const failures = (await Promise.allSettled(checked)).filter(({ status }) => status === 'rejected');
    assert.deepEqual(
      failures.map((failure) => 'reason' in failure && (failure.reason as Error).message),
      [],
      `with the seed ${seed}`,
    );
    assert.equal(pool.stats.forcedStops, 0);
  });

  it('leaves the pool as it was', async () => {
    const run = await pool.run('return (await tools.double({ value: 21 })).value', { double });
    assert.ok(run.ok);
    assert.equal(run.value, 42);
  });
});
