/** Nothing of the package keeps a process of Node alive that has nothing more to do: each case is one, which has to end by itself. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Much longer than any of them takes, and shorter than the longest timer that is left by mistake. */
const SOON_MS = 45_000;

/** What each case begins with. `never` is a handler that does not return, and keeps nothing alive itself. */
const PRELUDE = `
  import { createPool } from 'wardenpool';
  import { readOnly, spawnIsolated } from 'wardenpool/executor';
  const never = () => new Promise(() => {});
  const failed = (promise) => promise.then(() => { throw new Error('it did not fail'); }, () => {});
`;

function start(body: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PRELUDE + body], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: SOON_MS,
    killSignal: 'SIGKILL',
  });
  const errors = text(child.stderr);
  const exit = once(child, 'exit');
  return {
    child,
    /** Rejects if it did not end by itself, with 0. */
    async ended() {
      const [code, signal] = await exit;
      const how = signal === null ? `with ${code}` : `only by ${signal}, after ${SOON_MS} ms`;
      assert.ok(code === 0, `it ended ${how}\n${await errors}`);
    },
  };
}

/** Runs a case to its end, and resolves with what it printed. */
async function run(body: string): Promise<string> {
  const { child, ended } = start(body);
  const [output] = await Promise.all([text(child.stdout), ended()]);
  return output;
}

/** What was done before the end, and may have left something behind. */
const PASTS: readonly [title: string, body: string][] = [
  ['without runs', ''],
  [
    'with runs of several outcomes',
    `const limits = { timeoutMs: 100 };
     await Promise.all([
       pool.run('return 1'),
       pool.run('throw new Error()'),
       pool.run('for (;;);', {}, { limits }),
       pool.run('await tools.never()', { never }, { limits }),
       pool.run('await tools.never()', { never: { execute: never, timeoutMs: 50 } }),
     ]);`,
  ],
  [
    'with runs that were aborted, in the queue and with a slot',
    `const controller = new AbortController();
     await new Promise((entered) => {
       const tools = { t: () => { entered(); return never(); } };
       globalThis.runs = [1, 2].map(() => failed(pool.run('await tools.t()', tools, { signal: controller.signal })));
     });
     controller.abort();
     await Promise.all(runs);`,
  ],
  [
    'with a metrics server that was asked',
    `const { port } = (await pool.metricsServer()).address();
     await (await fetch(\`http://127.0.0.1:\${port}/metrics\`)).text();`,
  ],
];

const ENDS: readonly [title: string, body: string][] = [
  ['close()', 'await pool.close();'],
  ['destroy()', 'await pool.destroy();'],
  ['Symbol.asyncDispose', 'await pool[Symbol.asyncDispose]();'],
  ['nothing', ''],
];

const CREATE = 'const pool = await createPool({ threads: 1, concurrency: 1 });';

describe('a process of Node ends by itself', function () {
  this.timeout(2 * SOON_MS);

  for (const [end, ending] of ENDS)
    for (const [past, body] of PASTS)
      it(`after ${end} of a pool ${past}`, async () => {
        assert.equal(await run(`${CREATE}\n${body}\n${ending}\nconsole.log('over');`), 'over\n');
      });

  it('after destroy() with a run in flight, and others queued', async () => {
    const body = `${CREATE}
      await new Promise((entered) => {
        const tools = { t: () => { entered(); return never(); } };
        globalThis.runs = [1, 2, 3].map(() => failed(pool.run('await tools.t()', tools)));
      });
      await pool.destroy();
      await Promise.all(runs);
      console.log('over');`;
    assert.equal(await run(body), 'over\n');
  });

  it('after a block with `await using`, as TypeScript compiles it', async () => {
    const source = `{
        await using pool = await createPool({ threads: 1 });
        console.log((await pool.run('return 1')).value);
      }`;
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    assert.equal(await run(outputText), '1\n');
  });

  it('after a createPool() that was rejected, for its options and for what the machine has not', async () => {
    const body = `
      await failed(createPool({ threads: 0 }));
      process.env.PATH = '';
      await failed(createPool({ backend: 'bubblewrap' }));
      await failed(createPool({ backend: 'seatbelt' }));
      console.log('over');`;
    assert.equal(await run(body), 'over\n');
  });

  it('after commands that ended, were stopped, and could not be started', async () => {
    const body = `
      const policy = readOnly();
      const begin = (...command) => {
        const execution = spawnIsolated(command, { policy, limits: { wallMs: 600_000 } });
        execution.protocol.resume();
        execution.stderr.resume();
        return execution;
      };
      await begin('true').wait();
      const sleeper = begin('sleep', '600');
      await sleeper.stop();
      await sleeper.wait().catch(() => {});
      await failed(begin('/there/is/no/such/program').wait());
      console.log('over');`;
    assert.equal(await run(body), 'over\n');
  });

  it('with runs that were traced', async () => {
    const body = `
      import { context, trace } from '@opentelemetry/api';
      import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
      import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
      const exporter = new InMemorySpanExporter();
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
      ${CREATE}
      await pool.run('return tools.one()', { one: () => 1 });
      console.log(exporter.getFinishedSpans().some(({ name }) => name === 'wardenpool.run'));`;
    assert.equal(await run(body), 'true\n');
  });

  it('with a connection to the metrics server that another process holds open', async () => {
    const { child, ended } = start(`
      ${CREATE}
      const server = await pool.metricsServer();
      console.log(server.address().port);
      const untilConnected = setTimeout(() => {}, 600_000);
      server.once('connection', () => clearTimeout(untilConnected));`);
    const [port] = await once(createInterface(child.stdout), 'line');
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    try {
      await ended();
    } finally {
      socket.destroy();
    }
  });

  it('only when the runs in flight and in the queue are over', async () => {
    const body = `${CREATE}
      for (const value of [1, 2, 3]) {
        // The handler's own timer keeps nothing alive.
        const slow = () => new Promise((resolve) => setTimeout(resolve, 100, value).unref());
        pool.run('return tools.slow()', { slow }).then((run) => console.log(run.value));
      }`;
    assert.equal(await run(body), '1\n2\n3\n');
  });
});
