/** Every call of the addon fails once, in the host: at the worst the command or the sandbox is refused or lost, and nothing is left. */
import assert from 'node:assert/strict';
import { leavingNothing } from './aftermath.js';
import { assertHonest, attemptCommand, type CommandOutcome, makeWorkspace } from './commands.js';
import { makePlace, type Place } from './place.js';
import { assertHonestEnd, attemptSandbox, type SandboxOutcome } from './sandboxes.js';
import { type CallSite, type Fault, type FaultyPackage, faultyPackage } from './seam.js';
import { sweep, TRIES_ALL } from './sweep.js';

/** By the kernel's promise: of a child's pidfd, it waits or says ECHILD. */
const isLeftOut = ({ call }: CallSite) => call === 'waitid';

/** The kernel has no memory for it. */
const SHORT = ['ENOBUFS', 'ENOMEM'] as const;

describe('faults: calls of the addon that fail', function () {
  this.timeout(TRIES_ALL ? 900_000 : 240_000);
  let place: Place;
  let faulty: FaultyPackage;
  let workspace: string;
  before(async () => {
    place = makePlace();
    faulty = await faultyPackage('addon');
    workspace = makeWorkspace(place.directory);
  });
  after(() => {
    faulty.remove();
    place.remove();
  });

  for (const fault of ['ENOMEM', 'EINTR'] as const) {
    it(`refuses a command, loses it or runs it, and says which (${fault})`, async () => {
      await sweep<CommandOutcome>({
        package: faulty,
        fault,
        stride: 2,
        directory: place.directory,
        isLeftOut,
        attempt: () => attemptCommand(faulty, 'namespaces', workspace),
        check(outcome, site) {
          assertHonest(outcome);
          if (site === undefined) assert.equal(outcome.kind, 'ran', outcome.message);
        },
      });
    });

    it(`refuses a sandbox of a pool, loses it or runs in it, and says which (${fault})`, async () => {
      await sweep<SandboxOutcome>({
        package: faulty,
        fault,
        stride: 2,
        directory: place.directory,
        isLeftOut,
        attempt: () => attemptSandbox(faulty, { backend: 'namespaces', isolation: 'default' }),
        check(outcome, site) {
          assertHonestEnd(outcome);
          if (site === undefined) assert.equal(outcome.kind, 'ran', outcome.message);
        },
      });
    });
  }

  const shortages: [string, string, readonly Fault[]][] = [
    [
      'keeps what the kernel does not take from it for a while, and sends it later',
      'send',
      [...SHORT, 'EAGAIN', 'EINTR'],
    ],
    [
      'asks again for what a launcher says, where the kernel cannot hand it over for a while',
      'recvmsg',
      [...SHORT, 'EINTR'],
    ],
  ];
  for (const [title, call, faults] of shortages)
    for (const fault of faults)
      it(`${title} (${fault})`, async () => {
        await attemptSandbox(faulty, { backend: 'namespaces', isolation: 'default' });
        const outcome = await leavingNothing(place.directory, () => {
          faulty.faults.order({ call, fault, times: 3 });
          return attemptSandbox(faulty, { backend: 'namespaces', isolation: 'default' });
        });
        assert.equal(faulty.faults.carriedOut, 3);
        faulty.faults.clear();
        assert.equal(outcome.kind, 'ran', outcome.message);
      });
});
