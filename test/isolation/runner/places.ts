/** Every place where attacks on a runner are tried: each way to make sandboxes, by a root host and by an ordinary user's. */
import assert from 'node:assert/strict';
import { type AttackedLauncher, AttackHost } from '../../support/attack-host.js';
import { HOST_USERS } from '../../support/command-host.js';
import { Matrix } from '../../support/matrix.js';
import { NAMESPACES_OF, type Place, type RunnerAttack, RunnerScene } from './attack.js';
import { HOST_MARKER } from './memory.js';

export const RUNNER_BACKENDS = Object.keys(NAMESPACES_OF) as Place['backend'][];

/** Declares a suite for each place; `declare` says what is tried there. */
export function inEveryPlace(
  title: string,
  executable: AttackedLauncher,
  declare: (scene: () => RunnerScene, place: Place) => void,
): void {
  for (const user of HOST_USERS)
    describe(`${title}, host ${user}`, () => {
      let host: AttackHost | undefined;
      before(async () => {
        assert.equal(process.arch, 'x64', 'the numbers of system calls here are those of x86-64');
        host = await AttackHost.start(user, { [HOST_MARKER]: HOST_MARKER });
      });
      after(() => host?.close());
      for (const backend of RUNNER_BACKENDS)
        describe(`backend ${backend}`, () => {
          const place = { backend, user };
          declare(() => new RunnerScene(place, host ?? assert.fail('there is no host'), executable), place);
        });
    });
}

/** Declares a test for each attack in each place, and prints what came of them. */
export function tryRunnerAttacks(
  title: string,
  attacks: readonly RunnerAttack[],
  executable: AttackedLauncher = 'probe-launcher',
): void {
  const matrix = new Matrix();
  describe(title, () => {
    after(() => matrix.print());
    inEveryPlace(title, executable, (scene, { backend, user }) => {
      before(() => matrix.addColumn(`${backend}, ${user}`));
      for (const attack of attacks)
        it(`withstands: ${attack.name}`, async () => {
          const verdict = matrix.try(attack.name);
          await attack.attempt(scene());
          verdict('withstood');
        });
    });
  });
}
