/** Which threads and processes a pool consists of, and the CPU time of each as the scheduler counted it, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** By their numbers. */
export interface Threads {
  main: number;
  /** The pool's worker threads. */
  workers: number[];
  /** Node's own: for compilation, garbage collection, files. */
  others: number[];
  launchers: number[];
}

/** Microseconds. */
export interface CpuTime {
  main: number;
  workers: number;
  others: number;
  launchers: number;
}

/** `host`: a process that does nothing but have a pool. A thread that has started a process is a worker. */
export function threadsOfHost(host: number): Threads {
  const threads = readdirSync(`/proc/${host}/task`).map(Number);
  const childrenOf = (thread: number) =>
    readFileSync(`/proc/${host}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const workers = threads.filter((thread) => thread !== host && childrenOf(thread).length > 0);
  return {
    main: host,
    workers,
    others: threads.filter((thread) => thread !== host && !workers.includes(thread)),
    launchers: workers.flatMap(childrenOf),
  };
}

/** So far. */
export function readCpuTime({ main, workers, others, launchers }: Threads): CpuTime {
  const sum = (paths: string[]) => paths.reduce((total, path) => total + microseconds(path), 0);
  const ofThreads = (threads: number[]) =>
    sum(threads.map((thread) => `/proc/${main}/task/${thread}/schedstat`));
  return {
    main: ofThreads([main]),
    workers: ofThreads(workers),
    others: ofThreads(others),
    launchers: sum(launchers.map((launcher) => `/proc/${launcher}/schedstat`)),
  };
}

/** The first field is time on a CPU, in nanoseconds. */
function microseconds(schedstat: string): number {
  return Number(readFileSync(schedstat, 'utf8').split(' ')[0]) / 1_000;
}
