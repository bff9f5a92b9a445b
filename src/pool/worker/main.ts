/**
 * A worker thread of a pool: opens the thread's executor, offers the main thread its link, and runs piscina's tasks,
 * many at once. Its default export is what piscina asks for: a promise of the function that runs one task.
 */
import { MessageChannel, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Executor } from '../../executor/executor.js';
import type { LinkOffer, RunReport, RunTask, WorkerMessage, WorkerSetup } from '../messages.js';
import { startProblem } from './failures.js';
import { Programs } from './programs.js';
import { WorkerRuns } from './worker-runs.js';

/** Rejects every task: this thread could not be set up, and the main thread has been told why. */
async function unavailable(): Promise<RunReport> {
  throw new Error('this worker has no sandboxes');
}

async function start(): Promise<(task: RunTask) => Promise<RunReport>> {
  const { port1, port2 } = new MessageChannel();
  const offer: LinkOffer<MessagePort> = { wardenpoolLink: port2 };
  parentPort?.postMessage(offer, [port2]);
  const post = (message: WorkerMessage): void => port1.postMessage(message);
  const setup: WorkerSetup = workerData;
  const programs = new Programs();
  let executor: Executor;
  let runs: WorkerRuns | undefined;
  try {
    const opening = Executor.open({
      isolation: setup.isolation,
      backend: setup.backend,
      refused: setup.refused,
      warm: setup.warm,
      ceilings: ceilings(setup),
      onChange: () => runs?.postState(),
    });
    programs.warmUp(); // while the launcher starts
    executor = await opening;
  } catch (error) {
    post({ type: 'unavailable', missing: startProblem(error) });
    return unavailable;
  }
  runs = new WorkerRuns(executor, programs, post);
  port1.on('message', runs.onHostMessage);
  const refused = executor.refused.map(({ backend, missing }) => ({ backend, missing }));
  post({ type: 'ready', state: runs.state, backend: executor.backend.name, refused });
  return runs.run;
}

/** What the runner is told at its start; the host enforces the others. */
function ceilings({ limits }: WorkerSetup) {
  const { maxCodeBytes: _code, ...ceilings } = limits;
  return ceilings;
}

export default start();
