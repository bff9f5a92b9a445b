/** What a peer has to be able to do to be measured, and what every peer is given. */
import { TIMEOUT_MS, TOOLS } from '../workloads.js';

export interface Peer {
  /** Runs the body of an async function, with `tools`, in an isolate, runtime or process that is used once. */
  run(program: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Every in-process peer's module has this, so that a worker thread can start it from the module's address. */
export interface PeerModule {
  start(): Promise<Peer>;
}

export type HostTool = (input: unknown) => Promise<unknown>;

/**
 * The workloads' tools as asynchronous functions of the thread that runs the peer. A tool on another thread would cost
 * the peer two messages a call, so this is in the peers' favour: ours answers every call on the main thread.
 */
export const HOST_TOOLS: Readonly<Record<string, HostTool>> = Object.fromEntries(
  Object.entries(TOOLS).map(([name, tool]) => [name, async (input) => tool(input as never)]),
);

/** The limits of every run, where a peer has such limits: the defaults of `createPool()`. */
export const MEMORY_BYTES = 64 * 1024 * 1024;
export { TIMEOUT_MS };

/** The most runs that are ever in flight. */
export const MOST_IN_FLIGHT = 16;
