/** A command run to its end, with everything that came out of it. */
import { finished } from 'node:stream/promises';
import {
  type IsolatedExecution,
  type IsolatedOptions,
  type IsolatedResult,
  readOnly,
  spawnIsolated,
} from 'wardenpool/executor';

export interface Collected extends IsolatedResult {
  protocol: Buffer;
  stderr: string;
}

export type Options = Partial<IsolatedOptions>;

/** Under readOnly(), if the options name no other policy. */
export function start(command: (string | Uint8Array)[], options: Options = {}): IsolatedExecution {
  return spawnIsolated(command, { policy: readOnly(), ...options });
}

/** Rejects as `wait()` does. `during` has the execution from its start. */
export async function collect(
  command: (string | Uint8Array)[],
  options: Options = {},
  during: (execution: IsolatedExecution) => unknown = ({ protocol }) => protocol.end(),
): Promise<Collected> {
  const execution = start(command, options);
  // By events: an iterator would destroy the protocol when the command half-closes it.
  const output = [execution.protocol, execution.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return finished(stream, { writable: false }).then(() => Buffer.concat(chunks));
  });
  await during(execution);
  const result = await execution.wait();
  const [protocol = Buffer.of(), stderr = Buffer.of()] = await Promise.all(output);
  return { ...result, protocol, stderr: stderr.toString() };
}

/** A shell's program. */
export function shell(program: string): string[] {
  return ['sh', '-c', program];
}
