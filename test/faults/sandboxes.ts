/** A pool's sandbox from the start of its launcher to the end of both, and what came of it when a call of theirs failed. */
import assert from 'node:assert/strict';
import type { Receipt } from 'wardenpool/executor';
import { CEILINGS, CONTEXT, EXECUTE } from '../executor/sandboxes.js';
import { assertReceipt } from '../support/receipts.js';
import type { FaultyPackage } from './seam.js';

export interface SandboxOutcome {
  /** `refused`: no sandbox was there; `lost`: nobody knows; `failed`: it ended otherwise than it should. */
  kind: 'ran' | 'refused' | 'lost' | 'failed';
  message: string;
  receipt: Receipt | undefined;
}

export interface Shape {
  backend: 'namespaces' | 'seccomp';
  isolation: 'default' | 'strict';
}

/** Never rejects, but for what is no error of the executor. */
export async function attemptSandbox({ Executor }: FaultyPackage, shape: Shape): Promise<SandboxOutcome> {
  let executor: Awaited<ReturnType<typeof Executor.open>> | undefined;
  try {
    executor = await Executor.open({ ...shape, warm: { min: 0, max: 0 }, ceilings: CEILINGS });
    const sandbox = await executor.acquire();
    let output = '';
    const end = await new Promise<{ receipt: Receipt }>((resolve) => {
      const onData = (chunk: Buffer) => {
        output += chunk.toString();
      };
      sandbox.start({ onData, onEnd() {}, onExit: resolve }, CONTEXT);
      sandbox.write(EXECUTE);
    });
    const { outcome } = end.receipt;
    const hasResult = outcome.code === 0 && output.includes('"result":1');
    const kind = outcome.kind === 'lost' ? 'lost' : hasResult ? 'ran' : 'failed';
    return { kind, message: JSON.stringify(outcome), receipt: end.receipt };
  } catch (thrown) {
    const error = thrown as Error;
    const isOurs = ['SpawnFailed', 'SandboxUnavailable', 'LauncherLost'].includes(error.name);
    assert.ok(isOurs, `it rejected with ${error.stack}`);
    const kind = error.name === 'LauncherLost' ? 'lost' : 'refused';
    return { kind, message: error.message, receipt: undefined };
  } finally {
    await executor?.close();
  }
}

export function assertHonestEnd({ kind, message, receipt }: SandboxOutcome): void {
  assert.ok(message.length > 10, message);
  if (receipt === undefined) return;
  assertReceipt(receipt);
  assert.equal(
    receipt.state === 'complete',
    kind === 'ran' || receipt.outcome.kind === 'signaled' || receipt.outcome.kind === 'exited',
  );
  assert.equal(receipt.stop.containmentConfirmed, true);
}
