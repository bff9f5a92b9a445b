/** A peer called from the main thread. */
import { measure } from '../measure.js';
import type { Subject } from '../subject.js';
import { checkAnswer } from '../workloads.js';
import type { Peer } from './peer.js';

export function subjectOf(name: string, peer: Peer): Subject {
  return {
    name,
    measure: (workload, inFlight, count) =>
      measure(async () => checkAnswer(name, workload, await peer.run(workload.program)), inFlight, count),
    close: () => peer.close(),
  };
}
