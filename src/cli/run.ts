/** `wardenpool run`: any command in a sandbox, with our standard streams. What it ends with is what we end with. */
import { constants } from 'node:os';
import {
  type IsolatedExecution,
  type IsolatedResult,
  type Receipt,
  SpawnFailed,
  spawnIsolated,
} from '../executor/index.js';
import { EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND, EXIT_OURS, EXIT_SIGNAL } from './exit-codes.js';
import { limitLines } from './limit-text.js';
import { textOrBytes } from './raw-arguments.js';
import { ReceiptFile } from './receipt-file.js';
import { relay } from './relay.js';
import { inOurTerms, isolatedOptions, type RunOptions } from './run-options.js';
import { StopSignals } from './stop-signals.js';
import { oneLine } from './terminal-text.js';

/** `command`, and every text in `options`: as `rawArguments()` gave it. Returns the exit code. Rejects with one clear sentence. */
export async function run(command: readonly string[], options: RunOptions): Promise<number> {
  const receiptFile = options.receipt === undefined ? undefined : new ReceiptFile(options.receipt);
  try {
    return await runToEnd(command, options, receiptFile);
  } finally {
    receiptFile?.close();
  }
}

async function runToEnd(
  command: readonly string[],
  options: RunOptions,
  receiptFile: ReceiptFile | undefined,
): Promise<number> {
  const execution = await start(command, options);
  const signals = new StopSignals((force) => void execution.stop({ force }));
  const relayed =
    options.io === 'isolated-duplex' ? relay(execution).catch((error: Error) => error) : undefined;
  const end = await execution.wait().then(endOf, (error: Error) => failureOf(error, signals.number));
  // What is left may wait for a reader for ever: from here on a signal ends us.
  signals.release();
  const relayFailure = await relayed;
  if (relayFailure instanceof Error) fail(end, relayFailure.message);
  if (end.receipt !== undefined)
    await receiptFile?.write(end.receipt).catch((error: Error) => fail(end, error.message));
  // Only now: while the command ran, they were its own.
  for (const line of end.lines) process.stderr.write(`wardenpool: ${oneLine(line)}\n`);
  return end.code;
}

async function start(command: readonly string[], options: RunOptions): Promise<IsolatedExecution> {
  const isolated = await isolatedOptions(options);
  try {
    return spawnIsolated(command.map(textOrBytes), isolated);
  } catch (error) {
    throw inOurTerms(error, options);
  }
}

interface End {
  code: number;
  receipt: Receipt | undefined;
  /** What there is to say about it. */
  lines: string[];
}

function fail(end: End, line: string): void {
  end.code = EXIT_OURS;
  end.lines.push(line);
}

function endOf({ returncode, signal, receipt }: IsolatedResult): End {
  if (receipt.state === 'unavailable')
    return {
      code: EXIT_OURS,
      receipt,
      lines: [receipt.reason ?? 'what became of the command is not known', ...limitLines(receipt)],
    };
  const code = returncode ?? EXIT_SIGNAL + constants.signals[signal as NodeJS.Signals];
  return { code, receipt, lines: limitLines(receipt) };
}

/** `stoppedBy`: the signal that we got, if we did. */
function failureOf(error: Error & { receipt?: Receipt }, stoppedBy: number | undefined): End {
  const { message, receipt } = error;
  const isStopped = stoppedBy !== undefined && error instanceof SpawnFailed && error.failure === 'cancelled';
  if (isStopped) return { code: EXIT_SIGNAL + stoppedBy, receipt, lines: [] };
  return { code: failureCode(error), receipt, lines: [message] };
}

function failureCode(error: Error): number {
  if (!(error instanceof SpawnFailed)) return EXIT_OURS;
  switch (error.failure) {
    case 'not-found':
      return EXIT_NOT_FOUND;
    case 'not-executable':
      return EXIT_NOT_EXECUTABLE;
    default:
      return EXIT_OURS;
  }
}
