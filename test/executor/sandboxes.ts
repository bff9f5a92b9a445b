/** What tests of the executor start and wait for. */
import type { Sandbox, SandboxEnd } from '../../src/executor/sandbox.js';
import type { ReceiptContext } from '../../src/executor/sandbox-receipt.js';
import { assertReceipt } from '../support/receipts.js';

export const CEILINGS = {
  memoryBytes: 16_777_216,
  stackBytes: 1_048_576,
  timeoutMs: 5_000,
  cpuMs: 5_000,
  maxToolCalls: 64,
  maxConcurrentToolCalls: 16,
  maxFrameBytes: 1_048_576,
  maxResultBytes: 524_288,
  maxLogBytes: 65_536,
};

export const CONTEXT: ReceiptContext = {
  executionId: 'e-1',
  labels: { team: 'a' },
  codeDigest: 'c'.repeat(64),
  programDigest: 'd'.repeat(64),
  limits: { timeoutMs: 5_000 },
  limitedBy: { timeoutMs: 'engine' },
};

const FRAME = {
  version: 'code-bridge-v1',
  type: 'execute',
  executionId: 'e-1',
  tools: [],
  limits: { maxToolCalls: 1, maxResultBytes: 1_000, timeoutMs: 5_000 },
};

/** A frame that runs the smallest program. */
export const EXECUTE = `${JSON.stringify({ ...FRAME, code: 'return 1;' })}\n`;

/**
 * A frame that runs a program without an end; on descriptor 3 it says BUSY once it runs. Before that, whoever sends it a signal ends a
 * runner that has no program yet.
 */
export const EXECUTE_BUSY = `${JSON.stringify({
  ...FRAME,
  code: `console.log('BUSY'); for (;;) {}`,
  features: ['console', 'limits'],
  limits: { ...FRAME.limits, maxLogBytes: 1_000 },
})}\n`;

export interface Ended {
  end: SandboxEnd;
  /** What came out of descriptor 3. */
  output: string;
  events: string[];
}

/** Starts a run and waits for its last event. Its receipt is held against the schema. `onOutput` has all output so far. */
export function run(
  sandbox: Sandbox,
  begin: () => void = () => {},
  onOutput: (output: string) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const output: Buffer[] = [];
    const events: string[] = [];
    sandbox.start(
      {
        onData(chunk) {
          output.push(chunk);
          events.push('data');
          onOutput(Buffer.concat(output).toString());
        },
        onEnd() {
          events.push('end');
        },
        onExit(end) {
          events.push('exit');
          assertReceipt(end.receipt);
          resolve({ end, output: Buffer.concat(output).toString(), events });
        },
      },
      CONTEXT,
    );
    begin();
  });
}
