/**
 * run: a QuickJS context for each program, on worker threads that the package itself keeps, one program at a time on
 * each. Tools are answered on the main thread. Its names of functions are identifiers, so the program gets ours from them.
 */
import PQueue from 'p-queue';
import { createRunner, setMaxWorkers } from 'run';
import { HOST_TOOLS, MEMORY_BYTES, type Peer, TIMEOUT_MS } from '../peer.js';

const host = Object.fromEntries(
  Object.entries(HOST_TOOLS).map(([name, tool]) => [identifier(name), tool] as const),
);
const TOOLS_FROM_HOST = `const tools = {${Object.keys(HOST_TOOLS)
  .map((name) => `'${name}': host.${identifier(name)}`)
  .join(', ')}};\n`;

function identifier(name: string): string {
  return name.replaceAll('.', '_');
}

/**
 * The package's own maximum of worker threads, which it lowers where memory is scarce, and then refuses runs. A maximum
 * as low as the number of runs in flight makes it end threads between runs and start others: each run then took more
 * than ten times the CPU time.
 */
const MOST_WORKERS = 32;

/** As many of its threads as runs are in flight. */
export async function start(): Promise<Peer> {
  setMaxWorkers(MOST_WORKERS);
  const runner = createRunner({ limits: { timeoutMs: TIMEOUT_MS, memoryLimitBytes: MEMORY_BYTES } });
  return {
    async run(program) {
      const result = await runner.run({ source: TOOLS_FROM_HOST + program, hostFunctions: { host } });
      if (result.status !== 'completed') throw new Error(`run was ${result.status}`);
      return result.value;
    },
    close: async () => {},
  };
}

/** At most so many of its threads, and a queue before them. */
export async function startOnThreads(threads: number): Promise<Peer> {
  const peer = await start();
  const queue = new PQueue({ concurrency: threads });
  return { run: (program) => queue.add(() => peer.run(program)), close: peer.close };
}
