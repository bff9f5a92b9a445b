/** The host's side of `code-bridge-v1`, for a guest that runs one program and then ends. */
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { TIMEOUT_MS, TOOLS } from './workloads.js';

const VERSION = 'code-bridge-v1';

export interface Outcome {
  ok: boolean;
  result?: unknown;
  error?: unknown;
}

type Frame =
  | ({ type: 'execution.result' } & Outcome)
  | { type: 'tool.call'; id: number; name: keyof typeof TOOLS; arguments: never };

/** Gives the guest its program and answers its calls until it hangs up. Undefined if it ended without a result. */
export function converse(bridge: Duplex, program: string): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    let outcome: Outcome | undefined;
    const send = (frame: object) => {
      if (bridge.writable) bridge.write(`${JSON.stringify({ version: VERSION, ...frame })}\n`);
    };
    createInterface({ input: bridge })
      .on('line', (line) => {
        const frame = JSON.parse(line) as Frame;
        if (frame.type === 'execution.result') {
          outcome = frame;
          bridge.end();
        } else if (frame.type === 'tool.call') {
          const result = TOOLS[frame.name](frame.arguments);
          send({ type: 'tool.result', id: frame.id, ok: true, result });
        }
      })
      // A guest that is killed may leave unread what it was sent; that there is no result says enough.
      .on('error', () => resolve(outcome))
      .on('close', () => resolve(outcome));
    send({
      type: 'execute',
      executionId: 'bench',
      code: program,
      tools: Object.keys(TOOLS).map((name) => ({ name })),
      features: ['parallel-tools'],
      limits: { maxToolCalls: 64, maxResultBytes: 524_288, timeoutMs: TIMEOUT_MS },
    });
  });
}
