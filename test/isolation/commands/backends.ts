/**
 * The backends that run commands, and how attacks are tried on each of them: as root and as an ordinary user. What a backend cannot do
 * is declared here; it must then refuse before anything is started, and there is no third way.
 */
import assert from 'node:assert/strict';
import type { Receipt } from 'wardenpool/executor';
import { CommandHost, refusals } from '../../support/command-host.js';
import { HOST_USERS } from '../../support/host-process.js';
import { Matrix } from '../../support/matrix.js';
import { type Attack, type Needed, Scene } from './attack.js';

type BackendName = Receipt['backend']['name'];

/** Each with the capabilities that it does not have anywhere, and the limits that it cannot enforce. */
export const BACKENDS: Partial<Record<BackendName, readonly Needed[]>> = {
  namespaces: [],
  bubblewrap: ['fs-protect-create', 'limits.tempInodes'],
};

/** What an attack needs of what a backend does not have. */
export function lackingFor({ needs }: Attack, missing: readonly Needed[]): Needed[] {
  return needs.filter((capability) => missing.includes(capability));
}

/** Declares a test for each attack on each backend by each user, and prints what came of them. */
export function tryAttacks(title: string, attacks: readonly Attack[]): void {
  describe(title, () => {
    const matrix = new Matrix();

    before(() => {
      assert.equal(process.arch, 'x64', 'the numbers of system calls here are those of x86-64');
    });
    after(() => matrix.print());

    for (const user of HOST_USERS)
      for (const [name, missing] of Object.entries(BACKENDS) as [BackendName, readonly Needed[]][])
        describe(`${name} backend, host ${user}`, () => {
          let host: CommandHost | undefined;
          before(async () => {
            matrix.addColumn(`${name}, ${user}`);
            host = await CommandHost.start(user);
          });
          after(() => host?.close());

          for (const attack of attacks) {
            const lacking = lackingFor(attack, missing);
            const right = lacking.length === 0 ? 'withstood' : 'refused';
            it(`${right === 'withstood' ? 'withstands' : 'refuses'}: ${attack.name}`, async () => {
              const verdict = matrix.try(attack.name);
              assert.ok(host !== undefined);
              const others: CommandHost[] = [];
              const scene = new Scene(host, name, async () => {
                const other = await CommandHost.start(user);
                others.push(other);
                return other;
              });
              refusals.length = 0;
              try {
                if (right === 'withstood') await attack.attempt(scene);
                else await assertRefused(attack.attempt(scene), lacking);
              } finally {
                // Where an attack was refused, it did not come to kill them.
                for (const other of others) await other.close();
              }
              verdict(right);
            });
          }
        });
  });
}

/** A reason that is every backend's. */
const NOBODY_CAN = /a mount confines a directory with all that is in it/;

/** However the attempt takes it: no command was run, and nothing but what is declared to be missing was the reason. */
async function assertRefused(attempt: Promise<void>, lacking: readonly Needed[]): Promise<void> {
  await attempt.catch(() => {});
  // No backend is ever asked about a policy with a conflict, or one that denies the command itself.
  const asked = refusals
    .splice(0)
    .filter(
      ({ name, message }) =>
        name !== 'PolicyConflictError' && !message.includes('the policy denies the command'),
    );
  assert.ok(asked.length > 0, 'a command was run');
  for (const { name, message, missing = [] } of asked) {
    assert.equal(name, 'SandboxUnavailable', message);
    for (const { capability, reason } of missing)
      assert.ok(lacking.includes(capability as Needed) || NOBODY_CAN.test(reason), reason);
  }
}
