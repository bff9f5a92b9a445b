/** How an execution takes the end of its sandbox, where no real one can be made to end just then: the sandbox is played. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sandbox, SandboxListener } from '../../src/executor/sandbox.js';
import { DEFAULT_LIMITS } from '../../src/pool/limits.js';
import type { RunReport } from '../../src/pool/messages.js';
import { Execution } from '../../src/pool/worker/execution.js';

/** A run whose sandbox ends `afterMs`, in the middle of a frame, as a runner does that can send no more. */
async function endedAfter(afterMs: number, timeoutMs: number): Promise<RunReport> {
  const ending = { outcome: { kind: 'exited', code: 1 }, diagnostics: 'why', cpuMs: 1, peakRssBytes: 1 };
  const sandbox = {
    start(listener: SandboxListener): void {
      const end = () => {
        listener.onData(Buffer.from('{"version":'));
        listener.onEnd();
        listener.onExit(ending as unknown as Parameters<SandboxListener['onExit']>[0]);
      };
      void pause(afterMs).then(end);
    },
    write(): void {},
    kill: async () => {},
  } as unknown as Sandbox;
  const task = {
    run: 1,
    executionId: 'e-1',
    code: 'for (;;) console.log(1)',
    language: 'auto' as const,
    normalize: true,
    toolNames: [],
    limits: { ...DEFAULT_LIMITS, timeoutMs },
    labels: {},
    streamLogs: false,
  };
  const reading = { language: 'js' as const, rule: 'statements' as const, text: task.code };
  const program = { codeDigest: '', programDigest: '', reading };
  return new Execution(task, () => {}).run(sandbox, program, () => ({ warm: 0, launcherRestarts: 0 }));
}

describe('pool: an execution whose runner exits because it cannot send', () => {
  for (const [what, afterMs, timeoutMs, kind] of [
    ['after its deadline, and before the host would have killed it, has timed out', 40, 20, 'timeout'],
    ['before its deadline has crashed', 1, 60_000, 'crashed'],
  ] as const) {
    it(what, async () => {
      const { outcome } = await endedAfter(afterMs, timeoutMs);
      assert.equal(outcome.kind === 'error' && outcome.error.kind, kind);
    });
  }
});
