/**
 * Random corruption, the same every time: a program overwrites what it finds in its memory, at random and where it hurts,
 * and goes on working. Whatever comes of it, the sandbox ends in one of the ways that there are, and in time.
 * WARDENPOOL_PROPERTY_SEED tries others, WARDENPOOL_PROPERTY_RUNS more of them.
 */
import assert from 'node:assert/strict';
import { parameters, seed } from '../../properties/parameters.js';
import { attempt, closeLauncher, type Ending, each } from './helper.js';

const TIMEOUT_MS = 500;

/** What a busy machine may take for a sandbox beside its time limit: the worker's backstop would come at 250 ms. */
const PATIENCE_MS = 10_000;

const KINDS = ['javascript', 'memory', 'timeout', 'limit', 'result', 'result_limit', 'internal'];

/** What is corrupted: each is given a random source, and does a little harm. */
const HARM: Record<string, string> = {
  'anything, anywhere':
    'for (let i = 0; i < 200; i++) corrupt.store32(DATA + below(end() - DATA - 8), word());',
  'one bit':
    'const at = DATA + below(end() - DATA - 8); corrupt.store8(at, corrupt.load8(at) ^ 1 << below(8));',
  'objects and their shapes': `for (const victim of [{ a: 1, b: 2 }, [1, 2, 3], class {}, new Map([[1, 2]]), Promise.resolve()]) {
      const at = corrupt.address(victim);
      corrupt.store32(at + 4 * below(10), word());
      const inner = corrupt.load32(at + 4 * below(10));
      if (inner > DATA && inner < end() - 64) corrupt.store32(inner + 4 * below(12), word());
      kept.push(victim);
    }`,
  'the headers of the allocator': `for (let i = 0; i < 20; i++) {
      const at = corrupt.address([i]) - 8 * (1 + below(4));
      corrupt.store32(at, below(2) ? word() : corrupt.load32(at) ^ 8 << below(8));
    }`,
  'what lies in the engine’s own data':
    'for (let i = 0; i < 40; i++) corrupt.store32(DATA + 4 * below(16384), word());',
  'what was allocated first: the runtime and the context':
    'for (let i = 0; i < 30; i++) corrupt.store32(DATA + 0x10000 + 4 * below(0x8000), word());',
  'the module’s stack':
    'const sp = corrupt.stack_pointer(); for (let i = 0; i < 64; i++) corrupt.store32(sp + 4 * below(400), word());',
  'forged values': `for (let i = 0; i < 8; i++) kept.push(corrupt.forge(below(18) - 9, below(2) ? corrupt.address({}) + 4 * below(8) : word()));
    try { kept.map(String); } catch {} try { kept.sort(); } catch {}`,
  'calls of functions that were not meant':
    'for (let i = 0; i < 3; i++) corrupt.call_builtin(below(600), word(), word(), 0, 0);',
  'calls of the host': `corrupt.fill(1024, below(256), 64);
    corrupt.import_host_promise_rejection(1024, 1032, below(2));
    corrupt.import_fd_write(2, 1024, below(20), 2048);`,
  'a mass of it':
    'corrupt.copy(DATA + below(end() - DATA - 4096), DATA + below(end() - DATA - 4096), below(4096));',
};

/** What a program does afterwards: all that the runner has to do with. */
const WORK = `
  console.log('still', { here: [1, 2.5, 'x'] });
  const answers = await Promise.all([tools.a({ n: 1.5 }), tools.a({ text: 'two' }), tools.a({ n: [3] })]);
  setTimeout(() => {}, 1);
  await new Promise((resolve) => setTimeout(resolve, 1));
  Promise.reject(new Error('nobody handles this'));
  new TextDecoder().decode(new TextEncoder().encode('text: \\u00e9'.repeat(20)));
  crypto.getRandomValues(new Uint8Array(16));
  const text = JSON.stringify({ answers, kept: kept.length, url: String(new URL('https://example.org/a?b=c')) });
  return { text, sorted: [3, 1, 2].sort(), match: /a(.)c/.exec('abc')?.[1], when: Number(new Date(5)) };
`;

function program(harm: string, run: number): string {
  return `
    let state = ${(seed + run * 2_654_435_761) >>> 0} || 1;
    const next = () => { state ^= state << 13; state ^= state >>> 17; state ^= state << 5; return state >>> 0; };
    const below = (limit) => next() % limit;
    const word = () => [next(), next() % end(), 0, 0xffffffff, 0x80000000, DATA + next() % (end() - DATA), next() % 700][below(7)];
    const kept = [];
    ${harm}
    ${WORK}
  `;
}

/** Why an end is none of those that there are; undefined if it is one. */
function complaint({ frames, malformed, diagnostics, waitStatus, elapsedMs }: Ending): string | undefined {
  if (malformed.length > 0) return `a line is no frame: ${malformed[0]}`;
  if (waitStatus !== 0) return `it ended with the wait status ${waitStatus}: ${diagnostics}`;
  if (diagnostics.length > 512) return 'it had too much to say';
  if (elapsedMs > TIMEOUT_MS + PATIENCE_MS) return `it took ${elapsedMs} ms`;
  const last = frames.at(-1);
  if (frames.filter(({ type }) => type === 'execution.result').length !== 1)
    return 'there is not one terminal frame';
  if (last?.type !== 'execution.result' || !last.metrics)
    return 'the terminal frame is not whole, or not the last';
  if (last.error && !KINDS.includes(last.error.kind)) return `there is no kind ${last.error.kind}`;
  const calls = frames.filter(({ type }) => type === 'tool.call');
  if (calls.some(({ id, name }, index) => id !== index + 1 || name !== 'a'))
    return 'a call is none that was allowed';
  return undefined;
}

after(closeLauncher);

describe('corruption: a campaign', () => {
  for (const [what, harm] of Object.entries(HARM)) {
    it(`${what}: whatever comes of it is one of the ends that there are`, async () => {
      const ends = new Map<string, number>();
      const runs = Array.from({ length: parameters(80).numRuns }, (_, run) => run);
      await each(runs, async (run) => {
        const ending = await attempt(program(harm, run), {
          tools: { a: () => ({ ok: 1 }) },
          limits: { timeoutMs: TIMEOUT_MS },
        });
        const wrong = complaint(ending);
        assert.equal(wrong, undefined, `seed ${seed}, run ${run}: ${JSON.stringify(ending.frames.at(-1))}`);
        const kind = ending.frames.at(-1)?.error?.kind ?? 'ok';
        ends.set(kind, (ends.get(kind) ?? 0) + 1);
      });
      if (process.env['WARDENPOOL_PROPERTY_RUNS'] !== undefined)
        console.log(`      ${JSON.stringify(Object.fromEntries(ends))}`);
    }).timeout(600_000);
  }
});
