/** Programs that would never end by themselves, each in a way of its own: what a deadline has to reach into. */

export interface EndlessProgram {
  readonly name: string;
  readonly program: string;
}

export const ENDLESS_PROGRAMS: readonly EndlessProgram[] = [
  { name: 'empty loop', program: 'for (;;);' },
  { name: 'loop that reads the clock', program: 'const end = Date.now() + 1e9; while (Date.now() < end);' },
  { name: 'backtracking regular expression', program: `return /^(a+)+$/.test('a'.repeat(40) + '!');` },
  // Each of the inner operations is one call of a builtin; the loop is for engines in which it ends early, or has no memory.
  {
    name: 'power of a BigInt, and its text',
    program: 'for (;;) try { (7n ** 100000000n).toString(); } catch {}',
  },
  { name: 'digits of a long BigInt', program: 'const n = 7n ** 300000n; for (;;) n.toString();' },
  { name: 'text of a sparse array', program: `for (;;) try { new Array(1e9) + ''; } catch {}` },
  {
    name: 'search in a long text',
    program: `const s = 'a'.repeat(4e6); for (;;) s.indexOf('a'.repeat(2e6) + 'b');`,
  },
  {
    name: 'sort with a comparator',
    program:
      'const a = Array.from({ length: 1e5 }, (_, i) => (i * 7919) % 100003); for (;;) a.toSorted((x, y) => x - y);',
  },
  {
    name: 'JSON of a large value',
    program: `const a = Array(3e4).fill({ list: [1, 2, 3], text: 'x'.repeat(50) }); for (;;) JSON.stringify(a);`,
  },
  {
    name: 'text that grows',
    program: `for (;;) { let s = ''; for (let i = 0; i < 1e5; i++) s += 'abcdefgh'; s.charCodeAt(7); }`,
  },
  {
    name: 'memory that grows, and is let go',
    program: 'for (;;) { const all = []; for (let i = 0; i < 1e5; i++) all.push({ i }); }',
  },
  { name: 'recursion, caught', program: 'const f = () => f() + 1; for (;;) try { f(); } catch {}' },
  { name: 'promise jobs', program: 'for (;;) await null;' },
  { name: 'log lines', program: `for (;;) console.log('a line of the log', { n: 1 });` },
  { name: 'tool calls, one after the other', program: 'for (;;) await tools.now({});' },
  { name: 'a tool that never answers', program: 'await tools.never({});' },
];
