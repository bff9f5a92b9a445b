/** Reading without holding the loop: what is read at once, what on the reading thread, and what becomes of bad texts there. */
import assert from 'node:assert/strict';
import { ProgramReader } from '../../src/source/reader.js';
import type { Submission } from '../../src/source/reading.js';
import { ReadingThread } from '../../src/source/thread/reading-thread.js';
import { eventually } from '../support/processes.js';

function submission(text: string): Submission {
  return { text, language: 'auto', normalize: true };
}

/**
 * Here the thread is loaded from its TypeScript: that takes seconds by itself, and on a machine that is busy with other tests more than
 * a thread may need that loads what was built. What a text may take is as much as a test can wait for, unless it is about that.
 */
const PATIENT = { startMs: 50_000, readMs: 20_000 };

/** Costs the stripper twice as much with each condition, hours for all of them; the comments hide it from a look at the text. */
const HOLDS_STRIPPER = `const n: number=1;${'a ? /* */ (b) : c => '.repeat(40)}1`;
const BREAKS_STRIPPER = `const x: number = ${'('.repeat(20_000)}1${')'.repeat(20_000)}`;

describe('source: reader', () => {
  const reader = new ProgramReader(PATIENT);
  after(() => reader.close());

  it('reads ordinary JavaScript at once', () => {
    for (const text of ['return 1', '```js\n1\n```', 'async () => 1', 'return (', 'import "x"']) {
      assert.ok(!('giveUp' in reader.read(submission(text))), text);
    }
  });

  it('reads TypeScript, and long texts, on the thread', async () => {
    const typed = reader.read(submission('const x: number = 1; x'));
    const long = reader.read(submission(`${'a();\n'.repeat(2_000)}1`));
    assert.ok('giveUp' in typed && 'giveUp' in long);
    const [readTyped, readLong] = [await typed.reading, await long.reading];
    assert.deepEqual([readTyped?.language, readTyped?.rule], ['ts', 'last-expression']);
    assert.deepEqual([readLong?.language, readLong?.rule], ['js', 'last-expression']);
  });

  it('passes on what is too long to be read', () => {
    const text = `${'a();\n'.repeat(20_000)}1`;
    assert.deepEqual(reader.read(submission(text)), { language: 'js', rule: 'unparsed', text });
  });

  it('passes on at once what the stripper would take too long for', () => {
    const text = `const n: number=1;${'a ? (b) : c => '.repeat(22)}`;
    assert.deepEqual(reader.read(submission(text)), { language: 'js', rule: 'unparsed', text });
    const few = `const n: number=1;${'a ? (b) : c => '.repeat(4)}1`;
    assert.ok('giveUp' in reader.read(submission(few)));
  });
});

describe('source: reading thread', () => {
  let thread: ReadingThread;
  afterEach(() => thread.close());

  it('passes on a text that breaks the stripper, and reads the next one', async () => {
    thread = new ReadingThread(PATIENT);
    const [broken, next] = await Promise.all([
      thread.read(submission(BREAKS_STRIPPER)).reading,
      thread.read(submission('const x: number = 1; return x')).reading,
    ]);
    assert.deepEqual([broken?.rule, broken?.text], ['unparsed', BREAKS_STRIPPER]);
    assert.deepEqual([next?.rule, next?.language], ['statements', 'ts']);
  });

  it('passes on a text that takes too long, has another thread load at once, and reads the next one', async () => {
    thread = new ReadingThread({ ...PATIENT, readMs: 2_000 });
    const held = await thread.read(submission(HOLDS_STRIPPER)).reading;
    assert.equal(held?.rule, 'unparsed');
    assert.ok(thread.isRunning);
    assert.equal((await thread.read(submission('let a: number = 1; a')).reading)?.language, 'ts');
  });

  it('knows nothing of a text that was not taken up in time, or not before it was closed', async () => {
    thread = new ReadingThread({ startMs: 1 });
    assert.equal(await thread.read(submission('let a: number')).reading, undefined);
    await thread.close();
    thread = new ReadingThread();
    const pending = [thread.read(submission('let a: number')), thread.read(submission('let b: number'))];
    await thread.close();
    assert.deepEqual(await Promise.all(pending.map(({ reading }) => reading)), [undefined, undefined]);
    assert.equal(thread.isRunning, false);
  });

  it('does not read a text that was given up before its turn, and ends what is cancelled', async () => {
    thread = new ReadingThread({ ...PATIENT, readMs: 60_000 });
    // Loads the stripper, so that the next text is taken up by a thread that has everything.
    await thread.read(submission('let a: number')).reading;
    const held = thread.read(submission(HOLDS_STRIPPER));
    const dropped = thread.read(submission('let b: number'));
    const next = thread.read(submission('let c: number = 1; c'));
    assert.equal(dropped.giveUp(false), true);
    assert.equal(await dropped.reading, undefined);
    assert.equal(held.giveUp(false), false);
    // It is taken up when the thread works on it, since nobody else here does.
    const before = process.cpuUsage();
    assert.ok(await eventually(() => process.cpuUsage(before).user > 300_000, 30_000));
    assert.equal(held.giveUp(true), true);
    assert.equal(await held.reading, undefined);
    assert.equal((await next.reading)?.language, 'ts');
  });

  it('ends when it has nothing to read, and starts again', async () => {
    thread = new ReadingThread({ ...PATIENT, idleMs: 1 });
    await thread.read(submission('return 1')).reading;
    while (thread.isRunning) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await thread.read(submission('return 1')).reading)?.rule, 'statements');
  });
});
