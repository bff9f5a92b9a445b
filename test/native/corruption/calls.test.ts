/** Calls through the function table, with any element as any type. */
import assert from 'node:assert/strict';
import {
  attempt,
  closeLauncher,
  corruptionError,
  corruptionResult,
  each,
  NO_SUCH_FUNCTION,
  trapped,
} from './helper.js';

/** The types that native/corruption/translate.mjs calls as. */
const CALLS = ['call_nothing', 'call_allocator', 'call_builtin', 'call_free', 'call_math', 'call_unheard_of'];

/** More elements than engine and extension have together. */
const ELEMENTS = 700;

/** Every so many of them. */
const elements = (step: number): number[] =>
  Array.from({ length: Math.floor(ELEMENTS / step) }, (_, i) => i * step);

after(closeLauncher);

describe('corruption: calls through the function table', () => {
  it('the types that are tried are those that there are', async () => {
    const names = (await corruptionResult('return corrupt.names;')) as string[];
    assert.deepEqual(
      names.filter((name) => name.startsWith('call_')),
      CALLS,
    );
  });

  for (const call of CALLS) {
    it(`${call} outside of the table is a trap`, async () => {
      for (const element of [0, ELEMENTS, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff])
        await trapped(`return corrupt.${call}(${element});`, NO_SUCH_FUNCTION);
    });
  }

  it('a type that no function has is a trap for every element', async () => {
    await each(elements(5), (element) =>
      trapped(`return corrupt.call_unheard_of(${element});`, NO_SUCH_FUNCTION),
    );
  });

  it('an element of one type cannot be called as any other', async () => {
    const right = new Map<number, string[]>();
    const attempts = elements(17).flatMap((element) => CALLS.map((call) => ({ element, call })));
    await each(attempts, async ({ element, call }) => {
      const { frames } = await attempt(`return corrupt.${call}(${element}, 0, 0, 0, 0);`);
      if (NO_SUCH_FUNCTION.test(frames.at(-1)?.error?.message ?? '')) return;
      right.set(element, [...(right.get(element) ?? []), call]);
    });
    assert.ok(right.size > 0, 'some of the calls are right');
    for (const [element, calls] of right) assert.equal(calls.length, 1, `element ${element}: ${calls}`);
  });

  it('a stack pointer that points anywhere ends in a known way', async () => {
    for (const value of [0, 1, 15, 0x10000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff]) {
      const error = await corruptionError(`
        const work = () => { corrupt.set_stack_pointer(${value}); return JSON.parse('{"a":[1.5,"x"]}').a.map(String).join(); };
        Array.from({ length: 40 }, work);
        corrupt.load8(0xffffffff);
      `);
      assert.ok(['javascript', 'memory'].includes(error.kind), JSON.stringify(error));
    }
  });

  it('recursion between the engine and its host ends in an error of the program or in a trap', async () => {
    const error = await corruptionError(
      'const f = () => { corrupt.set_stack_pointer(1040000); return [0].map(f); }; f();',
    );
    assert.equal(error.kind, 'javascript');
    assert.match(error.message, /stack/);
  });
});
