import assert from 'node:assert/strict';
import { LIMITS, ScriptedRunner } from './scripted-runner.js';

interface Case {
  what: string;
  says: RegExp;
  /** Before ready, unless `running`. */
  running?: boolean;
  runner: (runner: ScriptedRunner) => unknown;
}

const effective = (change: Record<string, unknown>) => ({ effectiveLimits: { ...LIMITS, ...change } });

const CASES: Case[] = [
  // Frames
  { what: 'bytes that are no JSON', says: /not valid JSON/, runner: (r) => r.bytes('hello\n') },
  { what: 'a frame over the limit', says: /longer than 4096/, runner: (r) => r.bytes('x'.repeat(4097)) },
  { what: 'another version', says: /version/, runner: (r) => r.ready({ version: 'code-bridge-v2' }) },
  { what: 'no version', says: /version/, runner: (r) => r.bytes('{"type":"ready"}\n') },
  { what: 'an unknown type', says: /type/, running: true, runner: (r) => r.say({ type: 'tool.result' }) },
  { what: 'no type', says: /type/, running: true, runner: (r) => r.say({}) },
  // ready
  { what: 'a tool call before ready', says: /before ready/, runner: (r) => r.call(1) },
  { what: 'a log before ready', says: /before ready/, runner: (r) => r.log(0) },
  { what: 'a success before ready', says: /before ready/, runner: (r) => r.result() },
  { what: 'two ready frames', says: /second ready/, running: true, runner: (r) => r.ready() },
  {
    what: 'ready with another executionId',
    says: /executionId/,
    runner: (r) => r.ready({ executionId: 'e2' }),
  },
  {
    what: 'ready without runnerVersion',
    says: /runnerVersion/,
    runner: (r) => r.ready({ runnerVersion: 1 }),
  },
  {
    what: 'ready without limits',
    says: /effectiveLimits/,
    runner: (r) => r.ready({ effectiveLimits: null }),
  },
  {
    what: 'a larger timeoutMs',
    says: /timeoutMs is 1001/,
    runner: (r) => r.ready(effective({ timeoutMs: 1001 })),
  },
  {
    what: 'a larger quota',
    says: /maxToolCalls is 4/,
    runner: (r) => r.ready(effective({ maxToolCalls: 4 })),
  },
  {
    what: 'a larger result limit',
    says: /maxResultBytes/,
    runner: (r) => r.ready(effective({ maxResultBytes: 65 })),
  },
  {
    what: 'a larger memory limit',
    says: /memoryBytes/,
    runner: (r) => r.ready(effective({ memoryBytes: 2 ** 40 })),
  },
  { what: 'a missing limit', says: /timeoutMs/, runner: (r) => r.ready(effective({ timeoutMs: undefined })) },
  {
    what: 'a missing extended limit',
    says: /answer cpuMs/,
    runner: (r) => r.ready(effective({ cpuMs: undefined })),
  },
  { what: 'a fractional limit', says: /timeoutMs/, runner: (r) => r.ready(effective({ timeoutMs: 1.5 })) },
  {
    what: 'a limit of zero milliseconds',
    says: /timeoutMs/,
    runner: (r) => r.ready(effective({ timeoutMs: 0 })),
  },
  { what: 'an unknown feature', says: /features/, runner: (r) => r.ready({ features: ['telepathy'] }) },
  { what: 'features that are no array', says: /features/, runner: (r) => r.ready({ features: 'console' }) },
  // tool.call
  { what: 'a first call with id 2', says: /call 2 follows/, running: true, runner: (r) => r.call(2) },
  { what: 'a repeated call id', says: /call 1 follows/, running: true, runner: (r) => r.call(1).call(1) },
  { what: 'a call id of zero', says: /id of a tool.call/, running: true, runner: (r) => r.call(0) },
  { what: 'a fractional call id', says: /id of a tool.call/, running: true, runner: (r) => r.call(1.5) },
  {
    what: 'a call id in a string',
    says: /id of a tool.call/,
    running: true,
    runner: (r) => r.call(1, { id: '1' }),
  },
  {
    what: 'an undeclared tool',
    says: /not declared/,
    running: true,
    runner: (r) => r.call(1, { name: 'constructor' }),
  },
  {
    what: 'a tool name that is no string',
    says: /name/,
    running: true,
    runner: (r) => r.call(1, { name: ['a'] }),
  },
  {
    what: 'arguments in an array',
    says: /arguments/,
    running: true,
    runner: (r) => r.call(1, { arguments: [] }),
  },
  { what: 'null arguments', says: /arguments/, running: true, runner: (r) => r.call(1, { arguments: null }) },
  {
    what: 'no arguments',
    says: /arguments/,
    running: true,
    runner: (r) => r.call(1, { arguments: undefined }),
  },
  {
    what: 'too many outstanding calls',
    says: /more than 2/,
    running: true,
    runner: (r) => r.call(1).call(2).call(3),
  },
  // log
  { what: 'an unknown log level', says: /level/, running: true, runner: (r) => r.log(0, { level: 'fatal' }) },
  { what: 'log text that is no string', says: /text/, running: true, runner: (r) => r.log(0, { text: 1 }) },
  { what: 'a repeated log seq', says: /seq/, running: true, runner: (r) => r.log(1).log(1) },
  { what: 'a log seq that decreases', says: /seq/, running: true, runner: (r) => r.log(2).log(1) },
  {
    what: 'truncated that is no boolean',
    says: /truncated/,
    running: true,
    runner: (r) => r.log(0, { truncated: 1 }),
  },
  {
    what: 'a log after the truncated one',
    says: /truncated/,
    running: true,
    runner: (r) => r.log(0, { truncated: true }).log(1),
  },
  {
    what: 'logs over their limit',
    says: /over the limit of 32/,
    running: true,
    runner: (r) => r.log(0, { text: 'x'.repeat(20) }).log(1, { text: 'é'.repeat(7) }),
  },
  // execution.result
  {
    what: 'two terminal frames',
    says: /followed the terminal/,
    running: true,
    runner: (r) => r.result().result(),
  },
  {
    what: 'a call after the end',
    says: /followed the terminal/,
    running: true,
    runner: (r) => r.result().call(1),
  },
  {
    what: 'half a frame after the end',
    says: /bytes followed/,
    running: true,
    runner: (r) => r.result().bytes('{').session.ended(),
  },
  {
    what: 'another executionId',
    says: /executionId/,
    running: true,
    runner: (r) => r.result({ executionId: 'e2' }),
  },
  { what: 'ok that is no boolean', says: /ok of/, running: true, runner: (r) => r.result({ ok: 1 }) },
  {
    what: 'a success with an error',
    says: /has an error/,
    running: true,
    runner: (r) => r.result({ error: {} }),
  },
  {
    what: 'a failure with a result',
    says: /has a result/,
    running: true,
    runner: (r) => r.result({ ok: false }),
  },
  {
    what: 'a failure without an error',
    says: /error of/,
    running: true,
    runner: (r) => r.result({ ok: false, result: undefined }),
  },
  {
    what: 'an error kind that no runner has',
    says: /error.kind/,
    running: true,
    runner: (r) => r.failure({ kind: 'violation', message: 'm' }),
  },
  {
    what: 'an error without message',
    says: /message/,
    running: true,
    runner: (r) => r.failure({ kind: 'memory' }),
  },
  {
    what: 'an error position of line zero',
    says: /line/,
    running: true,
    runner: (r) => r.failure({ kind: 'javascript', message: 'm', position: { line: 0, column: 1 } }),
  },
  {
    what: 'a limit error with another limit',
    says: /kind limit/,
    running: true,
    runner: (r) =>
      r.failure({ kind: 'limit', message: 'm', code: 'TOOL_CALL_LIMIT_EXCEEDED', limit: 9, attempted: 10 }),
  },
  {
    what: 'a limit error without its code',
    says: /kind limit/,
    running: true,
    runner: (r) => r.failure({ kind: 'limit', message: 'm', limit: 3, attempted: 4 }),
  },
  {
    what: 'a result over its limit',
    says: /longer than 64/,
    running: true,
    runner: (r) => r.result({ result: 'x'.repeat(63) }),
  },
  { what: 'no metrics', says: /metrics/, running: true, runner: (r) => r.result({ metrics: undefined }) },
  {
    what: 'negative elapsedMs',
    says: /elapsedMs/,
    running: true,
    runner: (r) => r.result({ metrics: { elapsedMs: -1, toolCalls: 0 } }),
  },
  {
    what: 'metrics with too many calls',
    says: /toolCalls/,
    running: true,
    runner: (r) => r.result({ metrics: { elapsedMs: 1, toolCalls: 5 } }),
  },
  {
    what: 'metrics with fewer calls than were made',
    says: /toolCalls/,
    running: true,
    runner: (r) => r.call(1).result({ metrics: { elapsedMs: 1, toolCalls: 0 } }),
  },
];

describe('bridge: what a runner must not do', () => {
  for (const { what, says, running = false, runner: misbehave } of CASES) {
    it(`ends the session at ${what}`, () => {
      const runner = running ? ScriptedRunner.running() : new ScriptedRunner();
      misbehave(runner);
      assert.equal(runner.violations.length, 1);
      assert.match(runner.violations[0] ?? '', says);
      const { outcome } = runner.session;
      assert.equal(outcome.kind, 'violation');
      assert.match((outcome as { message: string }).message, says);
    });
  }

  it('ends the session at a feature that was not asked for', () => {
    const runner = new ScriptedRunner({ features: ['limits'] }).ready({ features: ['limits', 'console'] });
    assert.match(runner.violations[0] ?? '', /console, which was not asked for/);
  });

  it('ends the session at a required feature that is not granted', () => {
    const runner = new ScriptedRunner({ requiredFeatures: ['limits'] }).ready({ features: ['console'] });
    assert.match(runner.violations[0] ?? '', /lacks the feature limits/);
  });

  it('ends the session at a log without the feature console', () => {
    assert.match(
      new ScriptedRunner().ready({ features: ['limits'] }).log(0).violations[0] ?? '',
      /without the feature/,
    );
  });

  it('ends the session at an absent result without the feature undefined', () => {
    const runner = new ScriptedRunner().ready({ features: ['limits'] }).result({ result: undefined });
    assert.match(runner.violations[0] ?? '', /no result/);
  });

  it('ends the session at a second outstanding call without parallel-tools', () => {
    const runner = new ScriptedRunner()
      .ready({ features: ['limits'] })
      .call(1)
      .call(2);
    assert.match(runner.violations[0] ?? '', /more than 1 tool calls/);
  });

  it('lets a runner give itself no limit that was not asked for', () => {
    const limits = { timeoutMs: 1000, maxToolCalls: 100, maxResultBytes: 64 };
    const runner = new ScriptedRunner({ limits }).ready({
      effectiveLimits: { ...limits, maxConcurrentToolCalls: 100 },
    });
    for (let id = 1; id <= 17; id++) runner.call(id);
    assert.match(runner.violations[0] ?? '', /more than 16/);
  });

  it('does nothing for the runner after a violation', () => {
    const runner = ScriptedRunner.running().call(1).say({}).call(2).result();
    assert.equal(runner.calls.length, 1);
    assert.equal(runner.terminals, 0);
    assert.equal(runner.session.deliver(1, 'x\n'), false);
    runner.session.cancel();
    runner.session.ended();
    assert.equal(runner.session.outcome.kind, 'violation');
    assert.equal(runner.sent.length, 1);
  });

  it('stops reading a chunk at the violation in it', () => {
    const good = JSON.stringify({
      version: 'code-bridge-v1',
      type: 'tool.call',
      id: 1,
      name: 'a',
      arguments: {},
    });
    const runner = ScriptedRunner.running().bytes(`nonsense\n${good}\n`);
    assert.equal(runner.calls.length, 0);
  });

  it('ends the session at what only the host can see', () => {
    const runner = ScriptedRunner.running();
    runner.session.violate('it reads nothing');
    assert.deepEqual(runner.violations, ['it reads nothing']);
    assert.equal(runner.session.outcome.kind, 'violation');
  });
});
