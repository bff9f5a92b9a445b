/** Mistakes that are easily made: each is answered with what was wrong, and with what to write instead. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createPool, type Pool, type PoolOptions, type RunOptions, type ToolSet } from 'wardenpool';

type Arguments = [code?: unknown, tools?: unknown, options?: unknown];

const double = ({ value }: { value: number }) => value * 2;

describe('a mistake', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  const run = ([code = 'return 1', tools, options]: Arguments) =>
    pool.run(code as string, tools as ToolSet, options as RunOptions);

  const cases: Record<string, { with: Arguments; name: string; message: string }> = {
    'a misspelt option': {
      with: ['1', {}, { onlog: () => {} }],
      name: 'InvalidOptionError',
      message: 'run() has no option "onlog": did you mean onLog?',
    },
    'a limit outside of limits': {
      with: ['1', {}, { timeoutMs: 1000 }],
      name: 'InvalidOptionError',
      message: 'run() has no option "timeoutMs": did you mean limits.timeoutMs?',
    },
    'an AbortController for its signal': {
      with: ['1', {}, { signal: new AbortController() }],
      name: 'InvalidOptionError',
      message: 'option signal of run() is an instance of a class: must be an AbortSignal',
    },
    'a limit over the ceiling of the pool': {
      with: ['1', {}, { limits: { timeoutMs: 60_001 } }],
      name: 'InvalidOptionError',
      message:
        "option limits.timeoutMs of run() is 60001, over the pool's ceiling of 60000: ask for less, or raise the limits of createPool()",
    },
    'a tool without a handler': {
      with: ['1', { double: { description: 'twice a number' } }],
      name: 'InvalidToolError',
      message: 'tools["double"].execute is undefined: it must be a function',
    },
    'a handler under another name': {
      with: ['1', { double: { handler: double } }],
      name: 'InvalidToolError',
      message: 'tools["double"] has an unknown member "handler": did you mean execute?',
    },
    'a tool that is undefined': {
      with: ['1', { double: undefined }],
      name: 'InvalidToolError',
      message:
        'tools["double"] is undefined: pass a function, or an object with execute(); options are the third argument of run()',
    },
    'a list of tools': {
      with: ['1', [{ name: 'double', execute: double }]],
      name: 'InvalidToolError',
      message: 'tools is an array: pass a plain object of functions or tools by name',
    },
    'options in the place of tools': {
      with: ['1', { onLog: () => {} }],
      name: 'InvalidToolError',
      message:
        'tools.onLog is a function with the name of a run option: are the arguments shifted? Options are the third ' +
        'argument of run(); a tool of this name must be written { execute() {…} }',
    },
    'limits in the place of tools': {
      with: ['1', { timeoutMs: 1000 }],
      name: 'InvalidToolError',
      message:
        'tools["timeoutMs"] is 1000: pass a function, or an object with execute(); options are the third argument of run()',
    },
    'tools in the place of options': {
      with: ['1', undefined, { double }],
      name: 'InvalidOptionError',
      message: 'run() has no option "double": tools are the second argument of run(), options the third',
    },
    'tools among the options': {
      with: ['1', {}, { tools: { double } }],
      name: 'InvalidOptionError',
      message: 'run() has no option "tools": did you mean the second argument?',
    },
    'tools in the place of the program': {
      with: [{ double }, '1'],
      name: 'InvalidOptionError',
      message: 'the first argument of run() is an object: it must be the program, a string',
    },
    'a program that was not awaited': {
      with: [Promise.resolve('1')],
      name: 'InvalidOptionError',
      message: 'the first argument of run() is a promise: it must be the program, a string',
    },
  };
  for (const [what, { with: given, name, message }] of Object.entries(cases)) {
    it(`is told: ${what}`, async () => {
      await assert.rejects(run(given), { name, message });
    });
  }

  const options: Record<string, { with: unknown; message: string }> = {
    'a misspelt option of the pool': {
      with: { maxQueu: 1 },
      message: 'createPool() has no option "maxQueu": did you mean maxQueue?',
    },
    'the word of other libraries': {
      with: { workers: 2 },
      message: 'createPool() has no option "workers": did you mean threads?',
    },
    'a number as text': {
      with: { threads: '2' },
      message: 'option threads of createPool() is "2": must be an integer from 1 to 1024',
    },
  };
  for (const [what, { with: given, message }] of Object.entries(options)) {
    it(`is told: ${what}`, async () => {
      await assert.rejects(createPool(given as PoolOptions), { name: 'InvalidOptionError', message });
    });
  }

  it('is told to the program and kept on the host: a tool that returns a BigInt', async () => {
    const { toolCalls, ...failed } = await run([
      'return await tools.count()',
      { count: () => ({ rows: 7n }) },
    ]);
    assert.equal(!failed.ok && failed.error.code, 'TOOL_RESULT_INVALID');
    const message = '$.rows is a BigInt: convert it to a number or a string';
    assert.equal(!failed.ok && failed.error.message, `The tool returned what JSON cannot carry: ${message}.`);
    assert.equal(toolCalls[0]?.outcome, 'invalid');
    assert.equal((toolCalls[0]?.error as Error | undefined)?.message, message);
  });

  it('is told: one executionId twice at the same time', async () => {
    const first = run(['1', {}, { executionId: 'order-7' }]);
    await assert.rejects(run(['1', {}, { executionId: 'order-7' }]), {
      name: 'InvalidOptionError',
      message: 'option executionId of run() is "order-7", which is in flight already: give another, or none',
    });
    assert.ok((await first).ok);
    assert.ok((await run(['1', {}, { executionId: 'order-7' }])).ok, 'one after the other is fine');
  });

  it('is told: a run after close() and after destroy()', async () => {
    for (const end of ['close', 'destroy'] as const) {
      const other = await createPool({ threads: 1 });
      await other[end]();
      await assert.rejects(other.run('1'), {
        name: 'PoolClosedError',
        message: 'the pool is closed: make another with createPool()',
      });
    }
  });
});

describe('a pool that is let go', () => {
  it('is closed by await using, when its block is left', async () => {
    let kept: Pool;
    {
      await using pool = await createPool({ threads: 1 });
      kept = pool;
      assert.ok((await pool.run('return 1')).ok);
    }
    await assert.rejects(kept.run('1'), { code: 'POOL_CLOSED' });
  });

  /** As it ends by itself: nothing calls process.exit(). */
  function endsByItself(script: string): string {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      encoding: 'utf8',
      timeout: 50_000,
    });
    assert.equal(stderr, '');
    assert.equal(status, 0);
    return stdout;
  }

  const USED = `
    import { createPool } from 'wardenpool';
    const pool = await createPool({ threads: 2 });
    const server = await pool.metricsServer();
    await Promise.all(Array.from({ length: 8 }, () => pool.run('return await tools.t()', { t: () => 1 })));
    await pool.run('for (;;);', {}, { limits: { timeoutMs: 50 } });
    await pool.run('await tools.never()', { never: () => new Promise(() => {}) }, { signal: AbortSignal.timeout(50) })
      .catch(({ name }) => console.log(name));
  `;

  it('keeps nothing alive once it was closed, whatever it did', () => {
    // The port of a thread that has ended is closed some turns of the event loop later.
    const kinds = endsByItself(
      `${USED} await pool.close();
      const kinds = () => process.getActiveResourcesInfo();
      const until = performance.now() + 5_000;
      while (kinds().includes('MessagePort') && performance.now() < until) await new Promise(setImmediate);
      console.log(kinds().join());`,
    );
    // Standard streams are pipes, and do not keep a process alive.
    assert.match(kinds, /^AbortError\n(PipeWrap(,PipeWrap)*)?\n$/);
  });

  it('keeps nothing alive while it is idle', () => {
    assert.equal(endsByItself(`${USED} console.log('idle');`), 'AbortError\nidle\n');
  });
});
