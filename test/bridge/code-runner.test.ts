/** The session against the real runner, over a socket pair and without any sandbox. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { encodeToolError, encodeToolResult } from '../../src/bridge/encode.js';
import {
  HostSession,
  type SessionLog,
  type SessionOutcome,
  type ToolCall,
} from '../../src/bridge/host-session.js';
import { type BridgeLimits, FEATURES, type Feature } from '../../src/bridge/protocol.js';

const RUNNER =
  process.env['WARDENPOOL_CODE_RUNNER'] ??
  fileURLToPath(new URL('../../build/Release/code-runner', import.meta.url));

const LIMITS: BridgeLimits = {
  timeoutMs: 5000,
  maxToolCalls: 8,
  maxResultBytes: 4096,
  memoryBytes: 1 << 25,
  stackBytes: 1 << 19,
  cpuMs: 2000,
  maxLogBytes: 1024,
  maxConcurrentToolCalls: 4,
};

interface Run {
  outcome: SessionOutcome;
  logs: SessionLog[];
  calls: ToolCall[];
  violations: string[];
  exitCode: number | null;
  /** A write failed because the runner had ended: what it had said before may be lost. */
  writeFailed: boolean;
}

const ATTEMPTS = 3;

interface Options {
  limits?: Partial<BridgeLimits>;
  features?: readonly Feature[];
  base?: boolean;
}

type Answer = (call: ToolCall, session: HostSession) => string | undefined;

const echo: Answer = ({ id, argumentsText }) => encodeToolResult(id, argumentsText);

/**
 * Runs `code`; `answer` returns the frame for a call, or nothing to leave it open. Node closes a socket on which a
 * write fails, whatever lies in it unread: a run whose end was lost to that is tried again.
 */
async function execute(code: string, options: Options = {}, answer: Answer = echo): Promise<Run> {
  for (let attempt = 1; ; attempt++) {
    const run = await attemptOf(code, options, answer);
    if (run.outcome.kind !== 'none' || !run.writeFailed || attempt === ATTEMPTS) return run;
  }
}

async function attemptOf(code: string, options: Options, answer: Answer): Promise<Run> {
  const child: ChildProcess = spawn(RUNNER, ['--fd', '3'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const closed = once(child, 'close');
  const socket = child.stdio[3] as Socket;
  const logs: SessionLog[] = [];
  const calls: ToolCall[] = [];
  const violations: string[] = [];
  const { timeoutMs, maxToolCalls, maxResultBytes } = LIMITS;
  const session = new HostSession(
    {
      executionId: 'e1',
      code,
      toolNames: ['echo', 'a.b'],
      limits: options.base ? { timeoutMs, maxToolCalls, maxResultBytes } : { ...LIMITS, ...options.limits },
      maxFrameBytes: 1 << 20,
      features: options.features ?? FEATURES,
    },
    {
      send: (text) => socket.write(text),
      onToolCall: (call) => {
        calls.push(call);
        // Not before all that has come by now was read.
        setImmediate(() => {
          const frame = answer(call, session);
          if (frame !== undefined) session.deliver(call.id, frame);
        });
      },
      onLog: (entry) => logs.push(entry),
      onTerminal: () => socket.end(),
      onViolation: (message) => {
        violations.push(message);
        if (child.pid !== undefined) child.kill('SIGKILL');
      },
    },
  );
  socket.on('data', (chunk: Buffer) => session.receive(chunk));
  let writeFailed = false;
  // A runner that has ended leaves unread what it was sent: that is no news, unless it cost us what it had sent.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    writeFailed ||= error.syscall === 'write';
  });
  session.start();
  const [exitCode] = (await closed) as [number | null];
  session.ended();
  return { outcome: session.outcome, logs, calls, violations, exitCode, writeFailed };
}

function resultOf({ outcome, violations }: Run): unknown {
  assert.deepEqual(violations, []);
  assert.equal(outcome.kind, 'value', JSON.stringify(outcome));
  const { resultText } = outcome as { resultText?: string };
  return resultText === undefined ? undefined : JSON.parse(resultText);
}

function errorOf({ outcome, violations }: Run): { kind: string; message: string } {
  assert.deepEqual(violations, []);
  assert.equal(outcome.kind, 'error', JSON.stringify(outcome));
  return (outcome as { error: { kind: string; message: string } }).error;
}

describe('bridge: session against the real runner', () => {
  it('runs a program with a tool call and a log', async () => {
    const run = await execute(`console.log('n', 1); return (await tools['a.b']({ x: [1, 'é'] })).x;`);
    assert.deepEqual(resultOf(run), [1, 'é']);
    assert.equal(run.exitCode, 0);
    assert.deepEqual(
      run.calls.map(({ id, name, argumentsText }) => ({ id, name, value: JSON.parse(argumentsText) })),
      [{ id: 1, name: 'a.b', value: { x: [1, 'é'] } }],
    );
    assert.deepEqual(
      run.logs.map(({ level, text }) => ({ level, text })),
      [{ level: 'log', text: 'n 1' }],
    );
  });

  it('runs a program in the base protocol', async () => {
    assert.deepEqual(
      resultOf(await execute('return await tools.echo({ a: 1 })', { features: [], base: true })),
      { a: 1 },
    );
    assert.equal(resultOf(await execute('1', { features: [], base: true })), null);
  });

  it('gets undefined for a program without return', async () => {
    assert.equal(resultOf(await execute('1 + 1')), undefined);
  });

  it('gets results in another order than the calls', async () => {
    const open: ToolCall[] = [];
    const run = await execute(
      `return Promise.all([1, 2, 3].map((n) => tools.echo({ n }).then((value) => value.n)))`,
      {},
      (call, session) => {
        open.unshift(call);
        if (open.length === 3) {
          for (const { id, argumentsText } of open) session.deliver(id, encodeToolResult(id, argumentsText));
        }
        return undefined;
      },
    );
    assert.deepEqual(resultOf(run), [1, 2, 3]);
  });

  it('lets a program catch a tool error', async () => {
    const run = await execute(
      'try { await tools.echo({}) } catch ({ code, message }) { return { code, message } }',
      {},
      ({ id }) => encodeToolError(id, 'NO', 'not now'),
    );
    assert.deepEqual(resultOf(run), { code: 'NO', message: 'not now' });
  });

  it('accepts a quota error with calls that were never sent', async () => {
    const run = await execute('for (;;) await tools.echo({})', { limits: { maxToolCalls: 2 } });
    assert.equal(errorOf(run).kind, 'limit');
    assert.equal(run.calls.length, 2);
  });

  it('accepts a quota error with calls in parallel', async () => {
    const run = await execute(
      'await Promise.all(Array.from({ length: 9 }, () => tools.echo({})))',
      {},
      () => undefined,
    );
    assert.equal(errorOf(run).kind, 'limit');
    assert.ok(run.calls.length <= 4);
  });

  it('accepts an end with calls that wait inside the runner', async () => {
    const run = await execute('for (let i = 0; i < 8; i++) tools.echo({}); return 1', {}, () => undefined);
    assert.equal(resultOf(run), 1);
  });

  it('accepts logs up to the limit and the truncated one', async () => {
    const run = await execute(`for (let i = 0; i < 100; i++) console.log('x'.repeat(50)); return 1`);
    assert.equal(resultOf(run), 1);
    const bytes = run.logs.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    assert.ok(bytes > 900 && bytes <= 1024, `${bytes} bytes`);
  });

  it('accepts a flood of empty logs', async () => {
    const run = await execute('for (let i = 0; i < 20_000; i++) console.log(); return 1');
    assert.equal(resultOf(run), 1);
    assert.ok(run.logs.length <= 10_000);
  });

  it('accepts a result of exactly its limit, and an error beyond it', async () => {
    assert.equal((resultOf(await execute(`return 'x'.repeat(4094)`)) as string).length, 4094);
    assert.equal(errorOf(await execute(`return 'x'.repeat(4095)`)).kind, 'result_limit');
  });

  it('accepts a deadline, and a cancellation of busy code', async () => {
    assert.equal(errorOf(await execute('for (;;);', { limits: { timeoutMs: 50 } })).kind, 'timeout');
    const run = await execute('await tools.echo({}); for (;;);', {}, ({ id }, session) => {
      setTimeout(() => session.cancel(), 20);
      return encodeToolResult(id, '1');
    });
    assert.equal(errorOf(run).kind, 'cancelled');
  });

  it('accepts errors with name, stack and position', async () => {
    const { outcome } = await execute('const a = 1;\n\n  null.x;');
    assert.ok(outcome.kind === 'error');
    assert.equal(outcome.error.name, 'TypeError');
    assert.equal(outcome.error.position?.line, 3);
  });

  it('accepts what a thrown lone surrogate and a NUL become', async () => {
    assert.equal(errorOf(await execute(`throw new Error('\\ud800\\0')`)).message.length > 0, true);
    assert.equal(resultOf(await execute(`return '\\ud800\\0\\u2028'`)), '\ud800\0\u2028');
  });
});
