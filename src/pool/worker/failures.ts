/** The executor's errors as the main thread may hear of them: errors lose their class on the way between threads. */
import { SandboxUnavailable, SpawnFailed } from '../../executor/errors.js';
import { describeThrown } from '../../tools/describe-value.js';
import type { Missing } from '../errors.js';
import type { RunFailure } from '../messages.js';

/** Why a run got no sandbox, or lost it. */
export function runFailure(error: unknown): RunFailure {
  if (error instanceof SandboxUnavailable) return { kind: 'unavailable', missing: error.missing };
  if (error instanceof SpawnFailed) return { kind: 'unavailable', missing: [spawnProblem(error.message)] };
  return { kind: 'lost', reason: describeThrown(error) };
}

/** Why a worker has no executor. */
export function startProblem(error: unknown): Missing[] {
  if (error instanceof SandboxUnavailable) return error.missing;
  return [lifecycleProblem(`the executor could not be started: ${describeThrown(error)}`)];
}

/** One sandbox could not be made, though others can. */
export function spawnProblem(reason: string): Missing {
  return lifecycleProblem(`a sandbox could not be made: ${reason}`);
}

function lifecycleProblem(reason: string): Missing {
  return {
    capability: 'lifecycle',
    reason,
    remedy: 'run `wardenpool doctor` to see what this machine lacks',
  };
}
