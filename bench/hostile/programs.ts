/** Programs that want more than their share, each of another thing: what ten honest ones have beside them. */
export interface HostileProgram {
  readonly name: string;
  readonly program: string;
}

/** More calls than a pool allows by default, so that the flood is of calls, and not of runs. */
export const HOSTILE_CALLS = 1_000_000;

/** Tools that cost their handler nothing, whatever they are given. */
export const HOSTILE_TOOLS = {
  sink: () => null,
  source: () => SOURCE,
};
const SOURCE = 'x'.repeat(1_000_000);

export const HOSTILE_PROGRAMS: readonly HostileProgram[] = [
  { name: 'CPU spin', program: 'for (;;);' },
  { name: 'catastrophic regular expression', program: `return /^(a+)+$/.test('a'.repeat(40) + '!');` },
  {
    name: 'allocation to the limit',
    program: 'for (;;) try { const all = []; for (;;) all.push(new Array(1e4).fill(7)); } catch {}',
  },
  { name: 'log flood', program: `for (;;) console.log('a line of the log', { n: 1 });` },
  { name: 'log of empty lines', program: 'for (;;) console.log();' },
  { name: 'tool call flood', program: 'for (;;) await tools.sink({});' },
  {
    name: 'tool call flood, 16 at a time',
    program: 'for (;;) await Promise.all(Array.from({ length: 16 }, () => tools.sink({})));',
  },
  {
    name: 'frames of the largest size, in',
    program: `const text = 'x'.repeat(1_000_000); for (;;) await tools.sink({ text });`,
  },
  {
    name: 'frames of the largest size, of many values',
    program: 'const a = Array(349_000).fill({}); for (;;) await tools.sink({ a });',
  },
  { name: 'frames of the largest size, out', program: 'for (;;) await tools.source({});' },
  { name: 'promise that never ends', program: 'await new Promise(() => {});' },
  { name: 'promise jobs for ever', program: 'for (;;) await null;' },
  { name: 'recursion', program: 'const f = () => f() + 1; for (;;) try { f(); } catch {}' },
  { name: 'result at its limit', program: `return 'x'.repeat(524_286);` },
  {
    name: 'result at its limit, of many values',
    program: 'return Array(174_000).fill({});',
  },
];
