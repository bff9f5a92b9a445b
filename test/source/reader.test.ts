/** Reading without holding the loop: what is read at once, what on the reading thread, and what becomes of bad texts there. */
import assert from 'node:assert/strict';
import { ProgramReader } from '../../src/source/reader.js';
import type { Submission } from '../../src/source/reading.js';
import { ReadingThread } from '../../src/source/thread/reading-thread.js';

function submission(text: string): Submission {
  return { text, language: 'auto', normalize: true };
}

const BREAKS_STRIPPER = `const x: number = ${'('.repeat(20_000)}1${')'.repeat(20_000)}`;

describe('source: reader', () => {
  const reader = new ProgramReader();
  after(() => reader.close());

  it('reads ordinary JavaScript at once', () => {
    for (const text of ['return 1', '```js\n1\n```', 'async () => 1', 'return (', 'import "x"']) {
      assert.ok(!(reader.read(submission(text)) instanceof Promise), text);
    }
  });

  it('reads TypeScript, and long texts, on the thread', async () => {
    const typed = reader.read(submission('const x: number = 1; x'));
    const long = reader.read(submission(`${'a();\n'.repeat(2_000)}1`));
    assert.ok(typed instanceof Promise && long instanceof Promise);
    assert.deepEqual([(await typed).language, (await typed).rule], ['ts', 'last-expression']);
    assert.deepEqual([(await long).language, (await long).rule], ['js', 'last-expression']);
  });

  it('passes on what is too long to be read', () => {
    const text = `${'a();\n'.repeat(20_000)}1`;
    assert.deepEqual(reader.read(submission(text)), { language: 'js', rule: 'unparsed', text });
  });
});

describe('source: reading thread', () => {
  let thread: ReadingThread;
  afterEach(() => thread.close());

  it('passes on a text that breaks the stripper, and reads the next one', async () => {
    thread = new ReadingThread();
    const [broken, next] = await Promise.all([
      thread.read(submission(BREAKS_STRIPPER)),
      thread.read(submission('const x: number = 1; return x')),
    ]);
    assert.deepEqual([broken.rule, broken.text], ['unparsed', BREAKS_STRIPPER]);
    assert.deepEqual([next.rule, next.language], ['statements', 'ts']);
  });

  it('passes on a text that takes too long, and what is left when it is closed', async () => {
    thread = new ReadingThread({ startMs: 1 });
    assert.equal((await thread.read(submission('let a: number'))).rule, 'unparsed');
    thread = new ReadingThread();
    const readings = [thread.read(submission('let a: number')), thread.read(submission('let b: number'))];
    await thread.close();
    assert.deepEqual(
      (await Promise.all(readings)).map(({ rule }) => rule),
      ['unparsed', 'unparsed'],
    );
    assert.equal(thread.isRunning, false);
  });

  it('ends when it has nothing to read, and starts again', async () => {
    thread = new ReadingThread({ idleMs: 1 });
    await thread.read(submission('return 1'));
    while (thread.isRunning) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await thread.read(submission('return 1'))).rule, 'statements');
  });
});
