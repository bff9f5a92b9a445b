/** A peer spread over worker threads, each with the peer of its own, by piscina. */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { MOST_IN_FLIGHT, type Peer } from './peer.js';

/** @param module the address of a PeerModule */
export function startOnThreads(module: string, threads: number): Peer {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    workerData: module,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: Math.ceil(MOST_IN_FLIGHT / threads),
  });
  return { run: (program) => pool.run(program), close: () => pool.destroy() };
}
