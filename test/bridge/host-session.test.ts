import assert from 'node:assert/strict';
import { encodeToolError, encodeToolResult } from '../../src/bridge/encode.js';
import { MAX_LOG_ENTRIES } from '../../src/bridge/log-meter.js';
import { FEATURES } from '../../src/bridge/protocol.js';
import { LIMITS, ScriptedRunner } from './scripted-runner.js';

describe('bridge: host session', () => {
  it('sends execute with code, tools, limits and features', () => {
    const frame = new ScriptedRunner().sent[0] ?? '';
    assert.ok(frame.endsWith('\n'));
    assert.deepEqual(JSON.parse(frame), {
      version: 'code-bridge-v1',
      type: 'execute',
      executionId: 'e1',
      code: 'return 1',
      tools: [{ name: 'a' }, { name: 'b.c' }],
      limits: LIMITS,
      features: [...FEATURES],
    });
  });

  it('sends exactly the base frame when it asks for no feature', () => {
    const limits = { timeoutMs: 1, maxToolCalls: 0, maxResultBytes: 1 };
    const [frame] = new ScriptedRunner({ features: [], limits, toolNames: [] }).sent;
    assert.ok(frame !== undefined && !('features' in JSON.parse(frame)));
  });

  it('gives the value as the text that was sent', () => {
    const runner = ScriptedRunner.running();
    runner.bytes(
      '{"version":"code-bridge-v1","type":"execution.result","executionId":"e1","ok":true,' +
        '"result": {"a":[1.0]} ,"metrics":{"elapsedMs":2.5,"toolCalls":0,"peakMemoryBytes":9}}\n',
    );
    runner.session.ended();
    assert.deepEqual(runner.session.outcome, {
      kind: 'value',
      resultText: '{"a":[1.0]}',
      metrics: { elapsedMs: 2.5, toolCalls: 0, peakMemoryBytes: 9 },
    });
    assert.equal(runner.terminals, 1);
  });

  it('has what the runner says of open calls, and leaves it out where it is no number of them', () => {
    for (const [openToolCalls, expected] of [
      [3, 3],
      ['3', undefined],
      [-1, undefined],
      [0.5, undefined],
      [null, undefined],
    ] as const) {
      const metrics = { elapsedMs: 1, toolCalls: 0, openToolCalls };
      const { outcome } = ScriptedRunner.running().result({ metrics }).session;
      assert.equal(outcome.kind === 'value' ? outcome.metrics.openToolCalls : 'no value', expected);
    }
  });

  it('gives an undefined value as no text', () => {
    const runner = ScriptedRunner.running().result({ result: undefined });
    assert.equal(runner.session.outcome.kind, 'value');
    assert.equal((runner.session.outcome as { resultText?: string }).resultText, undefined);
  });

  it('passes a tool call on and its result back', () => {
    const runner = ScriptedRunner.running().call(1, { name: 'b.c', arguments: { x: [1] } });
    assert.deepEqual(runner.calls, [{ id: 1, name: 'b.c', argumentsText: '{"x":[1]}' }]);
    assert.equal(runner.session.deliver(1, encodeToolResult(1, '{"y":2}')), true);
    assert.deepEqual(JSON.parse(runner.sent[1] ?? ''), {
      version: 'code-bridge-v1',
      type: 'tool.result',
      id: 1,
      ok: true,
      result: { y: 2 },
    });
  });

  it('passes a tool error back', () => {
    const runner = ScriptedRunner.running().call(1);
    runner.session.deliver(1, encodeToolError(1, 'NO\n', '\ud800"'));
    assert.deepEqual(JSON.parse(runner.sent[1] ?? '').error, { code: 'NO\n', message: '\ud800"' });
    assert.equal(runner.sent[1]?.indexOf('\n'), (runner.sent[1]?.length ?? 0) - 1);
  });

  it('takes results in any order', () => {
    const runner = ScriptedRunner.running().call(1).call(2);
    assert.equal(runner.session.deliver(2, encodeToolResult(2, '2')), true);
    assert.equal(runner.session.deliver(1, encodeToolResult(1, '1')), true);
    assert.equal(runner.violations.length, 0);
  });

  it('delivers nothing twice, nothing unknown and nothing after the terminal frame', () => {
    const runner = ScriptedRunner.running().call(1).call(2);
    assert.equal(runner.session.deliver(1, encodeToolResult(1, '1')), true);
    assert.equal(runner.session.deliver(1, encodeToolResult(1, '1')), false);
    assert.equal(runner.session.deliver(7, encodeToolResult(7, '1')), false);
    runner.result();
    assert.equal(runner.session.deliver(2, encodeToolResult(2, '1')), false);
    assert.equal(runner.sent.length, 2);
  });

  it('keeps logs in order, with their levels', () => {
    const runner = ScriptedRunner.running().log(0).log(3, { level: 'warn', text: 'y' });
    assert.deepEqual(runner.logs, [
      { level: 'log', text: 'x', seq: 0 },
      { level: 'warn', text: 'y', seq: 3 },
    ]);
    assert.equal(runner.session.logsTruncated, false);
  });

  it('notes that the runner truncated the logs', () => {
    const runner = ScriptedRunner.running().log(0).log(1, { text: '', truncated: true });
    assert.equal(runner.logs.length, 1);
    assert.equal(runner.session.logsTruncated, true);
  });

  it('keeps a bounded number of empty log lines', () => {
    const runner = ScriptedRunner.running();
    for (let seq = 0; seq <= MAX_LOG_ENTRIES; seq++) runner.log(seq, { text: '' });
    assert.equal(runner.logs.length, MAX_LOG_ENTRIES);
    assert.equal(runner.session.logsTruncated, true);
    assert.deepEqual(runner.violations, []);
  });

  it('ignores unknown members of frames', () => {
    const runner = ScriptedRunner.running()
      .call(1, { novel: 1 })
      .result({ novel: { x: 1 } });
    assert.equal(runner.session.outcome.kind, 'value');
  });

  it('accepts effective limits that are smaller', () => {
    const runner = new ScriptedRunner().ready({ effectiveLimits: { ...LIMITS, maxToolCalls: 1 } });
    runner.call(1).call(2);
    assert.match(runner.violations[0] ?? '', /over the quota of 1/);
  });

  it('accepts a runner that grants nothing', () => {
    const effectiveLimits = { timeoutMs: 5, maxToolCalls: 2, maxResultBytes: 9 };
    const runner = new ScriptedRunner()
      .ready({ features: undefined, effectiveLimits })
      .result({ result: null });
    assert.deepEqual(runner.violations, []);
    assert.equal(runner.session.outcome.kind, 'value');
  });

  it('sends one cancel, and takes the terminal frame that follows', () => {
    const runner = ScriptedRunner.running();
    runner.session.cancel();
    runner.session.cancel();
    assert.deepEqual(
      runner.sent.slice(1).map((frame) => JSON.parse(frame)),
      [{ version: 'code-bridge-v1', type: 'cancel', executionId: 'e1' }],
    );
    runner.failure({ kind: 'cancelled', message: 'cancelled' });
    assert.equal(runner.session.outcome.kind, 'error');
  });

  it('sends no cancel after the terminal frame', () => {
    const runner = ScriptedRunner.running().result();
    runner.session.cancel();
    assert.equal(runner.sent.length, 1);
  });

  it('accepts a failure before ready', () => {
    const runner = new ScriptedRunner().failure({ kind: 'timeout', message: 'too late' });
    assert.deepEqual(runner.session.outcome, {
      kind: 'error',
      error: { kind: 'timeout', message: 'too late' },
      metrics: { elapsedMs: 1, toolCalls: 0 },
    });
  });

  it('keeps name, code, stack and position of an error', () => {
    const error = {
      kind: 'javascript',
      message: 'm',
      name: 'TypeError',
      code: 'C',
      stack: 's',
      position: { line: 3, column: 5 },
    };
    const { outcome } = ScriptedRunner.running().failure(error).session;
    assert.deepEqual(outcome.kind === 'error' && outcome.error, error);
  });

  it('accepts an error of kind limit that describes the quota', () => {
    const error = { kind: 'limit', message: 'm', code: 'TOOL_CALL_LIMIT_EXCEEDED', limit: 3, attempted: 4 };
    const { outcome } = ScriptedRunner.running().failure(error).session;
    assert.deepEqual(outcome.kind === 'error' && outcome.error, error);
  });

  it('says that there was no terminal frame, and whether one was begun', () => {
    const silent = ScriptedRunner.running();
    silent.session.ended();
    assert.deepEqual(silent.session.outcome, { kind: 'none', partialFrame: false });
    const cut = ScriptedRunner.running().bytes('{"version":');
    cut.session.ended();
    assert.deepEqual(cut.session.outcome, { kind: 'none', partialFrame: true });
  });

  it('refuses to send an execute frame over the frame limit', () => {
    assert.throws(() => new ScriptedRunner({ maxFrameBytes: 64 }), RangeError);
  });

  it('starts once', () => {
    assert.throws(() => new ScriptedRunner().session.start(), /started before/);
  });

  it('receives nothing more once it has ended', () => {
    const runner = ScriptedRunner.running();
    runner.session.ended();
    runner.result().call(1);
    assert.equal(runner.calls.length, 0);
    assert.equal(runner.session.outcome.kind, 'none');
  });

  it('sends a seed beside the features, and never without', () => {
    assert.equal(JSON.parse(new ScriptedRunner({ seed: 's' }).sent[0] ?? '').seed, 's');
    assert.ok(!('seed' in JSON.parse(new ScriptedRunner().sent[0] ?? '')));
    const limits = { timeoutMs: 1, maxToolCalls: 0, maxResultBytes: 1 };
    const base = new ScriptedRunner({ features: [], limits, seed: 's' }).sent[0] ?? '';
    assert.ok(!('seed' in JSON.parse(base)));
  });

  it('has the warnings of a runner, beside a value and beside an error', () => {
    const warnings = [{ code: 'UNHANDLED_REJECTION', message: 'm' }];
    const value = ScriptedRunner.running().result({ warnings }).session.outcome;
    assert.deepEqual(value.kind === 'value' && value.warnings, warnings);
    const error = { kind: 'javascript', message: 'm' };
    const failed = ScriptedRunner.running().result({ ok: false, error, result: undefined, warnings }).session
      .outcome;
    assert.deepEqual(failed.kind === 'error' && failed.warnings, warnings);
  });

  it("leaves warnings out that have another shape or are the host's to give, and those over the sixteenth", () => {
    const good = { code: 'UNHANDLED_REJECTION', message: 'm' };
    for (const [warnings, count] of [
      [7, 0],
      [[7, null, { code: 1, message: 'm' }, { code: 'TOOL_CALL_NOT_AWAITED', message: 'm' }, good], 1],
      [Array.from({ length: 17 }, () => good), 16],
    ]) {
      const { outcome } = ScriptedRunner.running().result({ warnings }).session;
      assert.equal(outcome.kind === 'value' ? (outcome.warnings?.length ?? 0) : -1, count);
    }
  });

  it('ignores warnings that it has not asked for', () => {
    const runner = new ScriptedRunner({ features: ['limits'] }).ready({ features: ['limits'] });
    const { outcome } = runner.result({ warnings: [{ code: 'C', message: 'm' }] }).session;
    assert.deepEqual(runner.violations, []);
    assert.ok(outcome.kind === 'value' && !('warnings' in outcome));
  });

  it('goes on with a runner that knows no features: base limits, one call at a time, a result always', () => {
    const effectiveLimits = { timeoutMs: 1000, maxToolCalls: 3, maxResultBytes: 64 };
    const runner = new ScriptedRunner().ready({ features: undefined, effectiveLimits }).call(1);
    assert.equal(runner.session.deliver(1, encodeToolResult(1, 'null')), true);
    const { outcome } = runner.call(2).result({ later: [1] }).session;
    assert.deepEqual(runner.violations, []);
    assert.equal(outcome.kind, 'value');
  });
});
