// A runner whose frames have members that are missing, or wrong: the host must not say ok.
import { notOk, section } from '../case.mjs';

const ready = section('host: members of ready', (add) => {
  /** @type {[string, Record<string, unknown>][]} */
  const wrong = [
    ['no version', { version: undefined }],
    ['another version', { version: 'code-bridge-v2' }],
    ['another type', { type: 'hello' }],
    ['a type that only hosts send', { type: 'execute' }],
    ['no executionId', { executionId: undefined }],
    ['another executionId', { executionId: 'someone-else' }],
    ['an executionId that is no string', { executionId: 1 }],
    ['no runnerVersion', { runnerVersion: undefined }],
    ['no effectiveLimits', { effectiveLimits: undefined }],
    ['effectiveLimits that are an array', { effectiveLimits: [] }],
    ['features that are no array', { features: 'console' }],
    ['a feature that was not asked for', { features: ['no-such-feature'] }],
    ['a feature that is no string', { features: [1] }],
  ];
  for (const [name, members] of wrong) {
    add(name, notOk, async (peer) => {
      await peer.ready(members);
      await peer.finish(1);
    });
  }

  for (const key of ['maxToolCalls', 'maxResultBytes', 'timeoutMs']) {
    for (const [name, wrong] of /** @type {[string, (asked: number) => unknown][]} */ ([
      ['larger than what was asked for', (asked) => asked + 1],
      ['missing', () => undefined],
      ['negative', () => -1],
      ['a fraction', () => 0.5],
      ['a string', (asked) => String(asked)],
    ])) {
      add(`effectiveLimits.${key} ${name}`, notOk, async (peer) => {
        const { effectiveLimits } = await peer.readyFrame();
        const asked = /** @type {Record<string, number>} */ (effectiveLimits)[key] ?? 0;
        await peer.ready({ effectiveLimits: { ...effectiveLimits, [key]: wrong(asked) } });
        await peer.finish(1);
      });
    }
  }
});

const calls = section('host: members of tool.call', (add) => {
  /** @type {[string, Record<string, unknown>][]} */
  const wrong = [
    ['no id', { id: undefined }],
    ['the id 0', { id: 0 }],
    ['an id that begins at 2', { id: 2 }],
    ['a negative id', { id: -1 }],
    ['an id that is a fraction', { id: 1.5 }],
    ['an id that is a string', { id: '1' }],
    ['no name', { name: undefined }],
    ['a tool that was not declared', { name: 'rm' }],
    ['a tool that every object has', { name: 'toString' }],
    ['a tool that every object has: __proto__', { name: '__proto__' }],
    ['a name that is no string', { name: ['echo'] }],
    ['no arguments', { arguments: undefined }],
    ['arguments that are an array', { arguments: [] }],
    ['arguments that are null', { arguments: null }],
    ['arguments that are a string', { arguments: '{}' }],
  ];
  for (const [name, members] of wrong) {
    add(name, notOk, async (peer) => {
      await peer.ready();
      peer.say(peer.callFrame(members));
      await peer.pause(50);
      await peer.finish(1);
    });
  }
});

const terminal = section('host: members of execution.result', (add) => {
  /** @type {[string, Record<string, unknown>][]} */
  const wrong = [
    ['no executionId', { executionId: undefined }],
    ['another executionId', { executionId: 'someone-else' }],
    ['another version', { version: 'code-bridge-v0' }],
    ['no ok', { ok: undefined }],
    ['an ok that is a string', { ok: 'true' }],
    ['an ok that is 1', { ok: 1 }],
    ['ok and an error', { error: { kind: 'javascript', message: 'm' } }],
    ['ok and no result, without the feature undefined', { result: undefined }],
    ['no metrics', { metrics: undefined }],
    ['metrics without elapsedMs', { metrics: { toolCalls: 0 } }],
    ['metrics without toolCalls', { metrics: { elapsedMs: 1 } }],
    ['a negative elapsedMs', { metrics: { elapsedMs: -1, toolCalls: 0 } }],
    ['toolCalls that is a string', { metrics: { elapsedMs: 1, toolCalls: '0' } }],
  ];
  for (const [name, members] of wrong) {
    add(name, notOk, async (peer) => {
      await peer.ready();
      await peer.finish(1, members);
    });
  }

  for (const [name, error] of /** @type {[string, unknown][]} */ ([
    ['no error', undefined],
    ['an error that is a string', 'failed'],
    ['an error without kind', { message: 'm' }],
    ['an error of an unknown kind', { kind: 'ok', message: 'm' }],
    ['an error without message', { kind: 'javascript' }],
    ['an error of kind limit without limit', { kind: 'limit', message: 'm' }],
  ])) {
    add(`a failure with ${name}`, notOk, async (peer) => {
      await peer.ready();
      await peer.finish(undefined, { ok: false, error });
    });
  }

  add('a result over maxResultBytes', notOk, async (peer) => {
    const { effectiveLimits } = await peer.readyFrame();
    await peer.ready({ effectiveLimits: { ...effectiveLimits, maxResultBytes: 10 } });
    await peer.finish('x'.repeat(9));
  });
});

export const frameViolations = [...ready, ...calls, ...terminal];
