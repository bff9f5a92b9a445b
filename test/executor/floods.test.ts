// Sandboxes that flood their bridge: how much of it a turn of the event loop takes, and who has his turn.
import assert from 'node:assert/strict';
import { Executor } from '../../src/executor/executor.js';
import type { Sandbox, SandboxEnd } from '../../src/executor/sandbox.js';
import { CEILINGS, CONTEXT, EXECUTE, run } from './sandboxes.js';

const FLOODS = 8;
/** What a sandbox may have sent before it takes turns, and the largest piece of it that is read at once. */
const BUFFER_BYTES = 64 * 1024;
const MEGABYTE = 1_000_000;

/** Writes log lines of 1,000 bytes as fast as they are read. */
const FLOOD = `${JSON.stringify({
  version: 'code-bridge-v1',
  type: 'execute',
  executionId: 'e-1',
  code: `for (;;) console.log('x'.repeat(1000));`,
  tools: [],
  features: ['console', 'limits'],
  limits: { maxToolCalls: 1, maxResultBytes: 1_000, timeoutMs: 60_000, maxLogBytes: 100 * MEGABYTE },
})}\n`;

interface Flood {
  bytes: number;
  ended: Promise<SandboxEnd>;
}

function flood(sandbox: Sandbox, onBytes: (length: number, before: number) => void): Flood {
  const flooding: Flood = { bytes: 0, ended: new Promise(() => {}) };
  flooding.ended = new Promise((resolve) => {
    sandbox.start(
      {
        onData({ length }) {
          onBytes(length, flooding.bytes);
          flooding.bytes += length;
        },
        onEnd() {},
        onExit: resolve,
      },
      CONTEXT,
    );
    sandbox.write(FLOOD);
  });
  return flooding;
}

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`executor: floods, on ${backend}`, () => {
    it('take a bounded part of each turn, one after the other, and others run beside them', async () => {
      const executor = await Executor.open({
        isolation: 'default',
        backend,
        warm: { min: 1, max: 1 },
        ceilings: { ...CEILINGS, timeoutMs: 60_000, cpuMs: 60_000, maxLogBytes: 100 * MEGABYTE },
      });
      try {
        const sandboxes = await Promise.all(Array.from({ length: FLOODS }, () => executor.acquire()));
        let ofTurn = 0;
        let mostOfTurn = 0;
        let signalEnough: () => void = () => {};
        const enough = new Promise<void>((resolve) => {
          signalEnough = resolve;
        });
        const floods = sandboxes.map((sandbox) =>
          flood(sandbox, (length, before) => {
            if (before < BUFFER_BYTES) return; // it is not known for a flood yet
            // The events of one turn come in one call, and promises after it.
            if (ofTurn === 0) queueMicrotask(() => (ofTurn = 0));
            ofTurn += length;
            mostOfTurn = Math.max(mostOfTurn, ofTurn);
            if (floods.every(({ bytes }) => bytes >= MEGABYTE)) signalEnough();
          }),
        );
        const other = await executor.acquire();
        const { end } = await run(other, () => other.write(EXECUTE));
        assert.deepEqual(end.outcome, { kind: 'exited', code: 0 });
        await enough;
        const mostMeanwhile = mostOfTurn; // what is left of one that was killed is read at once
        const most = Math.max(...floods.map(({ bytes }) => bytes));
        await Promise.all(sandboxes.map((sandbox) => sandbox.kill('closed')));
        await Promise.all(floods.map(({ ended }) => ended));
        // Several small reads may come to a quarter of a buffer before the last, which may be a whole one.
        assert.ok(mostMeanwhile <= 1.25 * BUFFER_BYTES, `${mostMeanwhile} bytes in one turn`);
        assert.ok(most < 50 * MEGABYTE, `one had ${most} bytes before each had its first million`);
      } finally {
        await executor.close();
      }
    });
  });
}
