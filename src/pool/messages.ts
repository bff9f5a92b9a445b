/**
 * What the main thread and a worker thread say to each other. Types only.
 *
 * One run is one piscina task: RunTask in, RunReport out. Everything in between goes over one MessagePort for each
 * worker, the link. Tool arguments and results cross as the JSON text that the program sent or will get: the text is
 * needed on the worker's side anyway, and parsing it costs no more than a structured clone of the parsed value
 * (measured: 9.5 µs either way for 1.5 KB).
 */
import type { Receipt } from '../executor/receipt.js';
import type { Missing } from './errors.js';
import type { Limits } from './limits.js';
import type { LogEntry, ProgramReading, RunError, RunUsage, RunWarning } from './run-result.js';

/** `workerData` of every worker thread of a pool. */
export interface WorkerSetup {
  isolation: 'default' | 'strict';
  /** `auto`: each worker finds out for itself, and says what it came to. */
  backend: 'auto' | 'namespaces' | 'seccomp';
  /** What `auto` was refused before it came to `backend`. */
  refused: RefusedBackend[];
  warm: { min: number; max: number };
  /** Ceilings of every run. */
  limits: Limits;
}

/** A backend that comes before the one in use, and what it lacks on this machine. */
export interface RefusedBackend {
  backend: Receipt['backend']['name'];
  missing: Missing[];
}

export interface RunTask {
  /** Number of the run in its pool. */
  run: number;
  executionId: string;
  code: string;
  language: 'auto' | 'js' | 'ts';
  normalize: boolean;
  toolNames: string[];
  limits: Limits;
  labels: Record<string, string>;
  /** Of the trace that records the run; for its receipt. */
  traceId?: string;
  /** Of everything that is random in the program; absent: nothing is reproducible. */
  seed?: string;
  /** Send each console call as it comes. Otherwise they travel with the next message that is sent anyway. */
  streamLogs: boolean;
}

/** Why a run has no outcome: the machine's doing, not the program's. */
export type RunFailure = { kind: 'lost'; reason: string } | { kind: 'unavailable'; missing: Missing[] };

/** What a program did, right or wrong. `valueText`: JSON; absent: undefined. */
export type ProgramOutcome = { kind: 'value'; valueText?: string } | { kind: 'error'; error: RunError };

export interface RunReport {
  outcome: ProgramOutcome | { kind: 'failure'; failure: RunFailure };
  /** Messages about this run that were sent over the link before: the two ports keep no common order. */
  messages: number;
  /** Console calls that were not sent before. */
  logs: LogEntry[];
  logsTruncated: boolean;
  /** The runner's own word. */
  warnings: readonly RunWarning[];
  /** Calls whose result the program was never given. */
  unanswered: number[];
  /** Calls that were not settled when the program ended, those included that never came; the runner's own word. */
  openCalls: number;
  /** How the text was read. */
  program: ProgramReading;
  usage: Omit<RunUsage, 'queueMs' | 'toolCalls'>;
  /** Absent if there never was a sandbox: then the outcome is a failure. */
  sandbox?: { receipt: Receipt; source: 'warm' | 'cold' };
  /** Where one could not be spawned: by which step, and why. */
  refusal?: Receipt;
  worker: WorkerState;
}

/** A worker's own numbers. */
export interface WorkerState {
  warm: number;
  /** Since the worker started. */
  launcherRestarts: number;
  /** Why it can have no sandbox at the moment; absent while it has a launcher. */
  problem?: string;
}

/** From a worker, over the link. */
export type WorkerMessage =
  | { type: 'ready'; state: WorkerState; backend: 'namespaces' | 'seccomp'; refused: RefusedBackend[] }
  | { type: 'unavailable'; missing: Missing[] }
  | {
      type: 'call';
      run: number;
      id: number;
      name: string;
      argumentsText: string;
      logs: LogEntry[];
    }
  | { type: 'logs'; run: number; logs: LogEntry[] }
  | { type: 'state'; state: WorkerState }
  /** To a ping. */
  | { type: 'pong' }
  | { type: 'closed' };

/** To a worker, over the link. */
export type HostMessage =
  /** `frame`: a whole tool.result frame. */
  | { type: 'result'; run: number; id: number; frame: string }
  | { type: 'cancel'; run: number; reason: 'cancelled' | 'closed' }
  /** Asks whether it still answers. */
  | { type: 'ping' }
  | { type: 'close' };

/** The first thing a worker posts, over its parent port: its end of the link. */
export interface LinkOffer<Port> {
  wardenpoolLink: Port;
}
