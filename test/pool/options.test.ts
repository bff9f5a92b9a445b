import assert from 'node:assert/strict';
import { createPool, InvalidOptionError, InvalidToolError, type Pool, type ToolContext } from 'wardenpool';
import { LIMIT_NAMES } from '../../src/pool/limits.js';

const invalid = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof InvalidOptionError, String(error));
  assert.match(error.message, message);
  assert.equal(error.code, 'INVALID_OPTION');
  return true;
};

describe('pool: options of createPool()', () => {
  const cases: [string, unknown, RegExp][] = [
    ['a misspelt option', { thread: 2 }, /did you mean threads\?/],
    [
      'a misspelt limit',
      { limits: { timeoutMS: 1 } },
      /"limits.timeoutMS": did you mean limits\.timeoutMs\?/,
    ],
    ['a word that others have for an option', { workers: 2 }, /no option "workers": did you mean threads\?/],
    ['a promise', Promise.resolve({ threads: 2 }), /must be an object, not a promise/],
    ['limits in a Map', { limits: new Map() }, /limits of createPool\(\) is a Map: write a plain object/],
    ['an unknown option', { colour: 'red' }, /no option "colour": there are threads/],
    ['a limit beside limits', { timeoutMs: 1 }, /no option "timeoutMs": did you mean limits\.timeoutMs\?/],
    ['a misspelt limit beside limits', { memory: 1 }, /did you mean limits\.memoryBytes\?/],
    ['a value out of range', { threads: 0 }, /threads of createPool\(\) is 0: must be an integer from 1/],
    [
      'a value of another type',
      { concurrency: '4' },
      /concurrency of createPool\(\) is "4": must be an integer/,
    ],
    [
      'a limit out of range',
      { limits: { memoryBytes: 1 } },
      /limits\.memoryBytes of createPool\(\) is 1: .*integer from/,
    ],
    ['options that are no object', 4, /must be an object, not 4/],
    ['null', null, /must be an object/],
    ['a warm range upside down', { warm: { min: 4, max: 2 } }, /warm\.min.*more than warm\.max/],
    ['a registry that is none', { registry: {} }, /Registry of prom-client/],
    ['processMetrics that are no yes or no', { processMetrics: 1 }, /processMetrics.*true or false/],
    ['an unknown isolation', { isolation: 'none' }, /'default' or 'strict'/],
    ['an unknown backend', { backend: 'docker' }, /'auto', 'namespaces' or 'seccomp'/],
    ['bubblewrap, which has no pools', { backend: 'bubblewrap' }, /"bubblewrap": this version .* no pool/],
    ['posix, which confines nothing', { backend: 'posix' }, /confines nothing/],
    [
      'no slot for a tenant',
      { maxConcurrencyPerKey: 0 },
      /maxConcurrencyPerKey of createPool\(\) is 0: .*integer from 1/,
    ],
    ['a memory budget that is text', { memoryBudgetBytes: '1 GB' }, /memoryBudgetBytes.*integer/],
  ];
  for (const [what, options, message] of cases) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(createPool(options as object), invalid(message));
    });
  }
});

describe('pool: arguments of run()', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1, limits: { timeoutMs: 1000, maxToolCalls: 5 } });
  });
  after(() => pool.close());

  const cases: [string, unknown, RegExp][] = [
    ['a misspelt option', { sginal: 1 }, /did you mean signal\?/],
    [
      'an AbortSignal by its prototype alone',
      { signal: Object.create(AbortSignal.prototype) },
      /option signal of run\(\) is .*: must be an AbortSignal/,
    ],
    ['a signal that is none', { signal: {} }, /AbortSignal/],
    ['a callback that is none', { onLog: 1 }, /onLog.*function/],
    ['labels that are no strings', { labels: { a: 1 } }, /labels\.a.*string/],
    ['an empty executionId', { executionId: '' }, /executionId.*1 to 256/],
    ['a priority that is NaN', { priority: Number.NaN }, /priority of run\(\) is NaN: must be/],
    ...LIMIT_NAMES.map((name): [string, unknown, RegExp] => [
      `${name} beside limits`,
      { [name]: 1 },
      new RegExp(`run\\(\\) has no option "${name}": did you mean limits\\.${name}\\?`),
    ]),
    ['a limit over the ceiling', { limits: { timeoutMs: 1001 } }, /1001, over the pool's ceiling of 1000/],
    ['a misspelt limit', { limits: { timeout: 1 } }, /did you mean limits\.timeoutMs\?/],
    ['a mode that does not exist', { mode: 'dry' }, /mode of run\(\) is "dry": must be 'inspect' or 'apply'/],
    ['an authorize that is none', { authorize: 'allow' }, /authorize.*function/],
    ['an empty seed', { seed: '' }, /seed.*1 to 256/],
    ['a seed that is no string', { seed: 7 }, /seed of run\(\) is 7/],
    [
      'a resultSchema that is none',
      { resultSchema: 7 },
      /option resultSchema of run\(\) is 7: pass a JSON Schema/,
    ],
    [
      'a resultSchema that does not compile',
      { resultSchema: { type: 'strange' } },
      /option resultSchema of run\(\) is no JSON Schema: \/type/,
    ],
    ['labels that are a list', { labels: ['a'] }, /labels.*must be an object of strings/],
    ['a misspelt authorize', { authorise: () => 'allow' }, /did you mean authorize\?/],
    ['an unknown language', { language: 'py' }, /language of run\(\) is "py": must be 'auto', 'js' or 'ts'/],
    ['a normalize that is no boolean', { normalize: 'no' }, /normalize of run\(\) is "no": must be true/],
  ];
  for (const [what, options, message] of cases) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(pool.run('1', {}, options as object), invalid(message));
    });
  }

  it('refuses a program that is no string', async () => {
    await assert.rejects(pool.run(1 as unknown as string), invalid(/is 1: it must be the program, a string/));
  });

  it('refuses an executionId that is in flight', async () => {
    const first = pool.run('return 1', {}, { executionId: 'same' });
    await assert.rejects(pool.run('return 1', {}, { executionId: 'same' }), (error) => {
      assert.ok(error instanceof InvalidOptionError);
      assert.match(error.message, /in flight already/);
      assert.equal(error.executionId, 'same');
      return true;
    });
    assert.ok((await first).ok);
  });

  const shifted: [string, unknown][] = [
    ['limits', { timeoutMs: 100 }],
    ['signal', new AbortController().signal],
    ['labels', { tenant: 'a' }],
    ['key', 'a'],
    ['priority', 1],
    ['executionId', 'a'],
    ['onLog', () => 1],
    ['onToolCall', () => 1],
    ['mode', 'inspect'],
    ['authorize', () => 'allow'],
    ['language', 'ts'],
    ['normalize', true],
    ['resultSchema', {}],
    ['seed', 'a'],
  ];
  for (const [name, value] of shifted) {
    it(`refuses a tool set in which the option ${name} stands`, async () => {
      await assert.rejects(pool.run('1', { [name]: value as never }), (error) => {
        assert.ok(error instanceof InvalidToolError);
        assert.equal(error.code, 'INVALID_TOOL');
        assert.match(error.message, /arguments shifted\? Options are the third argument of run\(\)/);
        return true;
      });
    });
  }

  it('names what throws while options or tools are read, and keeps it', async () => {
    const cause = new Error('not now');
    const throwing = (key: string) =>
      Object.defineProperty({}, key, {
        enumerable: true,
        get: () => {
          throw cause;
        },
      });
    await assert.rejects(pool.run('1', {}, throwing('key')), {
      name: 'InvalidOptionError',
      message: 'the options of run() cannot be read: not now',
      cause,
    });
    await assert.rejects(pool.run('1', throwing('get') as never), {
      name: 'InvalidToolError',
      message: 'tools["get"] cannot be read: not now',
      cause,
    });
    await assert.rejects(pool.run('1', { t: throwing('execute') as never }), {
      name: 'InvalidToolError',
      message: 'tools["t"] cannot be read: not now',
      cause,
    });
  });

  it('keeps a label of any name, in the receipt too', async () => {
    const labels = JSON.parse('{"__proto__":"a","constructor":"b"}');
    let seen: unknown;
    const run = await pool.run(
      'await tools.t()',
      {
        t: (_input: object, context: ToolContext) => {
          seen = context.labels;
        },
      },
      { labels },
    );
    assert.equal(JSON.stringify(seen), JSON.stringify(labels));
    assert.equal(JSON.stringify(run.receipt.labels), JSON.stringify(labels));
  });

  it('refuses a tool that cannot be called', async () => {
    await assert.rejects(pool.run('1', { a: 1 as never }), { name: 'InvalidToolError' });
  });

  it('accepts options that are undefined', async () => {
    const run = await pool.run('return 1', {}, { signal: undefined, limits: undefined, key: undefined });
    assert.ok(run.ok);
  });

  it('accepts limits up to the ceilings, and tells the program the smaller ones', async () => {
    const run = await pool.run(
      'for (;;) await tools.a()',
      { a: () => 1 },
      { limits: { timeoutMs: 1000, maxToolCalls: 1 } },
    );
    assert.equal(run.ok ? '' : run.error.kind, 'limit');
    assert.equal(run.toolCalls.length, 1);
  });
});
