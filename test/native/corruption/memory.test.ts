/**
 * The wall around linear memory, tried with the loads and stores of generated code at every kind of address. Behind the
 * memory that the guest has lies what it may still grow to, which is nobody else's; everything behind that is a trap.
 */
import assert from 'node:assert/strict';
import {
  closeLauncher,
  corruptionError,
  corruptionResult,
  each,
  MEMORY_BYTES,
  OUTSIDE,
  trapped,
} from './helper.js';

const WIDTHS = [8, 16, 32, 64];

/** As native/corruption/translate.mjs has them. */
const OFFSETS: [suffix: string, offset: number][] = [
  ['', 0],
  ['_far', 0x7fffffff],
  ['_farther', 0x80000000],
  ['_farthest', 0xffffffff],
];

const GIB = 1024 ** 3;

/** Base addresses for which base and offset together lie outside of all that could be the memory of a run. */
const outside = (offset: number): number[] =>
  [MEMORY_BYTES * 4, GIB, 2 * GIB - 1, 2 * GIB, 3 * GIB, 0xfffffff0, 0xffffffff].filter(
    (base) => base + offset >= MEMORY_BYTES * 4,
  );

after(closeLauncher);

describe('corruption: linear memory', () => {
  for (const [suffix, offset] of OFFSETS) {
    for (const width of WIDTHS) {
      it(`a load and a store of ${width} bits at any address that ends outside of it are traps${suffix ? `, at an offset of ${offset}` : ''}`, async () => {
        const attempts = outside(offset).flatMap((base) => [
          `return corrupt.load${width}${suffix}(${base});`,
          `corrupt.store${width}${suffix}(${base}, 0x41);`,
        ]);
        await each(attempts, (code) => trapped(code, OUTSIDE));
      });
    }
  }

  it('a walk upwards by pages ends in a trap before it has come as far as four times what a run may have', async () => {
    await trapped(
      `for (let at = end(); at < ${MEMORY_BYTES * 4}; at += 4096) corrupt.store32(at, 0x41414141);`,
      OUTSIDE,
    );
  });

  it('a trap is none of the program’s errors: no catch and no finally sees it', async () => {
    await trapped(
      'try { corrupt.load8(0xffffffff); } catch { return "caught"; } finally { tools.ran({}); }',
      OUTSIDE,
      { tools: { ran: () => assert.fail('the program went on') } },
    );
  });

  it('fill and copy are held against the size of the memory as it is', async () => {
    for (const call of [
      'fill(end() - 8, 0x41, 9)',
      'fill(0xffffffff, 0x41, 1)',
      'fill(0, 0x41, 0xffffffff)',
      'fill(16, 0x41, 0xfffffff0)',
      'copy(16, end() - 8, 9)',
      'copy(end() - 8, 16, 9)',
      'copy(16, 0xfffffff0, 0x20)',
      'copy(0xfffffff0, 16, 0x20)',
      'copy(16, 32, 0xfffffff0)',
    ])
      await trapped(`return corrupt.${call};`, OUTSIDE);
    assert.equal(await corruptionResult('return corrupt.copy(end() - 8, end() - 16, 8);'), 0);
  });

  it('the memory grows to its limit and no further, and refuses what does not fit', async () => {
    const { pages, refused, grown } = (await corruptionResult(`
      const refused = [corrupt.grow(65536), corrupt.grow(0xffffffff), corrupt.grow(${MEMORY_BYTES * 4} / PAGE)];
      const before = corrupt.pages();
      let grown = 0;
      while (corrupt.grow(1) !== 0xffffffff) grown++;
      return { pages: corrupt.pages(), refused, grown: corrupt.pages() - before === grown };
    `)) as { pages: number; refused: number[]; grown: boolean };
    assert.deepEqual(refused, [0xffffffff, 0xffffffff, 0xffffffff]);
    assert.ok(grown);
    assert.ok(pages * 65536 < MEMORY_BYTES * 2, `${pages} pages`);
  });

  it('the limit of a run holds below the ceiling of its process', async () => {
    const pages = await corruptionResult('while (corrupt.grow(1) !== 0xffffffff); return corrupt.pages();', {
      limits: { memoryBytes: 1024 * 1024 },
    });
    assert.ok((pages as number) * 65536 < MEMORY_BYTES, `${pages} pages`);
  });

  it('after it has grown, the new memory is the guest’s, also for the host functions, and what lies behind it is not', async () => {
    const code = `
      const old = end();
      corrupt.grow(4);
      corrupt.store64(end() - 8, 0x4142);
      if (corrupt.load64(end() - 8) !== 0x4142) return 'not its own';
      if (corrupt.import_clock_time_get(1, 0, end() - 8) !== 0) return 'not known to the host';
      corrupt.fill(old, 0x41, end() - old);
    `;
    assert.equal(await corruptionResult(`${code} return 'its own';`), 'its own');
    const error = await corruptionError(`${code} return corrupt.import_clock_time_get(1, 0, end() - 7);`);
    assert.match(error.message, /outside its memory/);
  });

  it('a program that is stopped by its deadline after it has overwritten its memory is told so', async () => {
    const error = await corruptionError(
      'const at = corrupt.address({}); for (let i = 0; i < 64; i++) corrupt.store8(at + 64 + i, 0xff); for (;;);',
      { limits: { timeoutMs: 200 } },
    );
    assert.equal(error.kind, 'timeout');
  });

  it('a memory that is nothing but noise ends in a trap, and the terminal frame is whole', async () => {
    for (const byte of [0x00, 0x01, 0x41, 0x7f, 0xff]) {
      const error = await corruptionError(`corrupt.fill(0, ${byte}, end()); return [1, 2, 3].map(String);`);
      assert.ok(['javascript', 'memory'].includes(error.kind), JSON.stringify(error));
    }
  });
});
