/** Programs of every outcome, in a mix: most are quick, as most are in life; what takes long is rare, so that a million is minutes. */

export interface MixedProgram {
  code: string;
  /** `ok`, or the kind of the error. */
  end: string;
  /** Of a thousand runs. */
  share: number;
  timeoutMs?: number;
  /** It is aborted from outside while it runs. */
  isAborted?: true;
}

export const MIXED_PROGRAMS: readonly MixedProgram[] = [
  { code: 'return (await tools.double({ value: 21 })).value;', end: 'ok', share: 400 },
  { code: 'return 1;', end: 'ok', share: 222 },
  { code: 'null.x;', end: 'javascript', share: 100 },
  { code: "await tools.fail({}); return 'not reached';", end: 'javascript', share: 100 },
  { code: 'tools.double({ value: 1 }); return 2;', end: 'ok', share: 60 },
  { code: 'await new Promise(() => {});', end: 'javascript', share: 60 },
  { code: 'console.log("x".repeat(1000)); return 3;', end: 'ok', share: 20 },
  { code: 'await tools.wait({});', end: 'aborted', share: 10, isAborted: true },
  { code: "return 'x'.repeat(600_000);", end: 'result_limit', share: 10 },
  { code: 'for (let i = 0; i < 100; i++) await tools.double({ value: i });', end: 'limit', share: 6 },
  { code: 'const f = () => f(); f();', end: 'javascript', share: 4 },
  {
    code: 'const all = []; for (;;) all.push(new Array(100000).fill(1));',
    end: 'memory',
    share: 4,
  },
  { code: 'for(;;){}', end: 'timeout', share: 2, timeoutMs: 20 },
  { code: '} not a program', end: 'javascript', share: 2 },
];

const SHARES = MIXED_PROGRAMS.reduce((sum, { share }) => sum + share, 0);

/** Steps through all of them without a pattern that lanes could fall into: it has no factor in common with the shares. */
const STEP = 617;

/** The program of a run, by its number: the same every time, and every kind within a thousand. */
export function mixedProgram(index: number): MixedProgram {
  let at = (index * STEP) % SHARES;
  for (const program of MIXED_PROGRAMS) {
    if (at < program.share) return program;
    at -= program.share;
  }
  throw new Error('the shares do not add up');
}

/** What they call. */
export const MIXED_TOOLS = {
  double: ({ value }: { value: number }) => ({ value: value * 2 }),
  fail: () => {
    throw new Error('a tool that fails');
  },
  wait: (_input: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve) => signal.addEventListener('abort', resolve)),
};
