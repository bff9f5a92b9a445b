/**
 * Every place where attacks on what runs a program are tried: each way to make sandboxes, by a root host and by an ordinary
 * user's. It knows neither what a host is nor what an attack does.
 */
import assert from 'node:assert/strict';
import { HOST_USERS, type HostUser } from '../support/host-process.js';
import { Matrix } from '../support/matrix.js';

export const RUNNER_BACKENDS = ['namespaces', 'namespaces, strict', 'seccomp'] as const;

/** One way to make sandboxes, by a host of one user. */
export interface Place {
  backend: (typeof RUNNER_BACKENDS)[number];
  user: HostUser;
}

/** How a host of one user is started, and what those who attack from one place with it have. */
export interface Staging<Host, Scene> {
  start(user: HostUser): Promise<Host>;
  scene(host: Host, place: Place): Scene;
}

/** Declares a suite for each place, with one host for all that are of one user; `declare` says what is tried there. */
export function inEveryPlace<Host extends { close(): Promise<void> }, Scene>(
  title: string,
  staging: Staging<Host, Scene>,
  declare: (scene: () => Scene, place: Place) => void,
): void {
  for (const user of HOST_USERS)
    describe(`${title}, host ${user}`, () => {
      let host: Host | undefined;
      before(async () => {
        host = await staging.start(user);
      });
      after(() => host?.close());
      for (const backend of RUNNER_BACKENDS)
        describe(`backend ${backend}`, () => {
          const place = { backend, user };
          declare(() => staging.scene(host ?? assert.fail('there is no host'), place), place);
        });
    });
}

/** Declares a test for each attack in each place, and prints what came of them. */
export function tryInEveryPlace<Host extends { close(): Promise<void> }, Scene>(
  title: string,
  attacks: readonly { name: string; attempt(scene: Scene): Promise<void> }[],
  staging: Staging<Host, Scene>,
): void {
  const matrix = new Matrix();
  describe(title, () => {
    after(() => matrix.print());
    inEveryPlace(title, staging, (scene, { backend, user }) => {
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
