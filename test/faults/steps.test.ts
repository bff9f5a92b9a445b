/**
 * Every call of a launcher, of its sandboxes and of a command before its exec fails once, and each of these processes dies once at each
 * of them: the caller is told which step it was, nothing runs that is not confined, and nothing is left.
 */
import assert from 'node:assert/strict';
import { loadAddon } from '../../src/executor/addon.js';
import { STEP_EXECUTE } from '../../src/executor/errors.js';
import {
  assertHonest,
  attemptCommand,
  type CommandBackendName,
  type CommandOutcome,
  makeWorkspace,
} from './commands.js';
import { makePlace, type Place } from './place.js';
import { assertHonestEnd, attemptSandbox, type SandboxOutcome, type Shape } from './sandboxes.js';
import { type CallSite, type FaultyPackage, faultyPackage } from './seam.js';
import { sweep, TRIES_ALL } from './sweep.js';

const isRoot = process.geteuid?.() === 0;

/** Steps that no failing call can make fail, with the reason. */
const UNREACHED: Record<number, string> = {
  12: 'best effort by nature',
  38: 'a list that is too long; it makes no call',
  60: 'the last step has nobody left to tell: the exit code says it',
  84: 'a list that is too long; it makes no call',
  87: 'of another program, which is not ours to link: test/executor/command/bubblewrap.test.ts',
};
/** By the kernel's promise: with its own children's numbers, it waits or says ECHILD. */
const CANNOT_FAIL = new Set(['wait4']);
const ONLY_AS_ROOT = [13, 14, 15, 72];

describe('faults: calls that fail, and processes that die between two steps', function () {
  this.timeout(TRIES_ALL ? 900_000 : 240_000);
  let place: Place;
  let faulty: FaultyPackage;
  let workspace: string;
  const messages: string[] = [];
  before(async () => {
    place = makePlace();
    faulty = await faultyPackage('launcher');
    workspace = makeWorkspace(place.directory);
  });
  after(() => {
    faulty.remove();
    place.remove();
  });

  const shapes: [Shape, number][] = [
    [{ backend: 'namespaces', isolation: 'strict' }, 6],
    [{ backend: 'seccomp', isolation: 'default' }, 9],
  ];
  for (const [shape, stride] of shapes)
    for (const fault of ['EPERM', 'dies'] as const)
      it(`${fault === 'dies' ? 'the process dies at' : 'a failure of'} each call of a pool’s launcher and sandbox, on ${shape.backend}`, async () => {
        const outcomes = await sweep<SandboxOutcome>({
          package: faulty,
          fault,
          stride: fault === 'dies' ? 2 * stride : stride,
          directory: place.directory,
          attempt: () => attemptSandbox(faulty, shape),
          check(outcome, site) {
            assertHonestEnd(outcome);
            if (site === undefined) assert.equal(outcome.kind, 'ran', outcome.message);
          },
        });
        messages.push(...outcomes.map(([, { message }]) => message));
      });

  const backends: [CommandBackendName, number][] = [
    ['namespaces', 3],
    ['posix', 6],
    ['bubblewrap', 9],
  ];
  for (const [backend, stride] of backends)
    for (const fault of ['EPERM', 'dies'] as const)
      it(`${fault === 'dies' ? 'the process dies at' : 'a failure of'} each call of a command’s launcher, and of its process before the exec, on ${backend}`, async () => {
        const outcomes = await sweep<CommandOutcome>({
          package: faulty,
          fault,
          stride: fault === 'dies' ? 2 * stride : stride,
          directory: place.directory,
          attempt: () => attemptCommand(faulty, backend, workspace),
          isLeftOut: ({ call }) => fault === 'EPERM' && CANNOT_FAIL.has(call),
          check(outcome: CommandOutcome, site: CallSite | undefined) {
            assertHonest(outcome);
            if (site === undefined) assert.equal(outcome.kind, 'ran', outcome.message);
            if (outcome.kind === 'ran' && fault === 'EPERM')
              assert.equal(outcome.hasRun, true, outcome.message);
          },
        });
        messages.push(...outcomes.map(([, { message }]) => message));
      });

  it(`the caller was told of ${TRIES_ALL ? 'every step' : 'the steps that were tried'} by its own words`, () => {
    const told = messages.join('\n');
    const steps = Object.entries(loadAddon().steps)
      .map(([number, text]) => [Number(number), text] as const)
      .filter(([number]) => !(number in UNREACHED) && (isRoot || !ONLY_AS_ROOT.includes(number)));
    const isTold = ([number, text]: readonly [number, string]) =>
      told.includes(number === STEP_EXECUTE ? 'could not be executed' : `could not ${text}`) ||
      told.includes(`"step":${number},`);
    if (TRIES_ALL)
      assert.deepEqual(
        steps.filter((step) => !isTold(step)),
        [],
      );
    else assert.ok(steps.filter(isTold).length >= 20, told);
  });
});
