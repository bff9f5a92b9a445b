/** Hosts of pools, for attacks by programs that are tried in every place. */
import assert from 'node:assert/strict';
import { ProgramHost } from '../../support/program-host.js';
import { tryInEveryPlace } from '../places.js';
import { type ProgramAttack, ProgramScene } from './attack.js';

/** A program that has done nothing, in the same pool. */
async function assertInOrder(scene: ProgramScene): Promise<void> {
  const { run, handled } = await scene.run("console.log('log'); return tools.echo({ value: [1, 2] })");
  assert.deepEqual(run.ok && run.value, { value: [1, 2] });
  assert.deepEqual(
    run.logs.map(({ text }) => text),
    ['log'],
  );
  assert.deepEqual(handled, [{ name: 'echo', input: { value: [1, 2] } }]);
}

/** Declares a test for each attack in each place. After each one the pool must be in order. */
export function tryProgramAttacks(title: string, attacks: readonly ProgramAttack[]): void {
  tryInEveryPlace(
    title,
    attacks.map(({ name, attempt }) => ({
      name,
      async attempt(scene: ProgramScene) {
        await attempt(scene);
        await assertInOrder(scene);
      },
    })),
    { start: (user) => ProgramHost.start(user), scene: (host, place) => new ProgramScene(place, host) },
  );
}
