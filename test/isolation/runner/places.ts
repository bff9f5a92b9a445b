/** Hosts of runners that were taken over, for attacks that are tried in every place. */
import assert from 'node:assert/strict';
import { type AttackedLauncher, AttackHost } from '../../support/attack-host.js';
import { inEveryPlace, type Staging, tryInEveryPlace } from '../places.js';
import { type RunnerAttack, RunnerScene } from './attack.js';

function stagingOf(executable: AttackedLauncher): Staging<AttackHost, RunnerScene> {
  return {
    start(user) {
      assert.equal(process.arch, 'x64', 'the numbers of system calls here are those of x86-64');
      return AttackHost.start(user);
    },
    scene: (host, place) => new RunnerScene(place, host, executable),
  };
}

/** Declares a suite for each place; `declare` says what is tried there. */
export function withRunnersInEveryPlace(title: string, declare: (scene: () => RunnerScene) => void): void {
  inEveryPlace(title, stagingOf('probe-launcher'), declare);
}

/** Declares a test for each attack in each place, and prints what came of them. */
export function tryRunnerAttacks(
  title: string,
  attacks: readonly RunnerAttack[],
  executable: AttackedLauncher = 'probe-launcher',
): void {
  tryInEveryPlace(title, attacks, stagingOf(executable));
}
