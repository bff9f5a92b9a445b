// The parts of the build, brought up to date under a lock, as `npm test` and `npm run demo` may be started together in
// one checkout.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildCross, isCrossCurrent } from './cross-build.mjs';
import { buildNative, isNativeCurrent } from './native-build.mjs';
import { ExplainedError, root, stateDirectory } from './project.mjs';
import { findMissing } from './requirements.mjs';
import { explainMissing } from './system-packages.mjs';
import { buildTypescript, isTypescriptCurrent } from './typescript-build.mjs';

const longestWaitSeconds = 20 * 60;
const lockIsHeld = 'WARDENPOOL_BUILD_LOCK_HELD';
const lockConflict = 75;

const parts = {
  native: { isCurrent: isNativeCurrent, build: buildNative },
  typescript: { isCurrent: isTypescriptCurrent, build: buildTypescript },
  cross: { isCurrent: isCrossCurrent, build: buildCross },
};

/** @typedef {keyof typeof parts} PartName */

/** @type {readonly PartName[]} */
export const partNames = ['native', 'typescript'];

/** With what only packaging needs. @type {readonly PartName[]} */
export const everyPartName = [...partNames, 'cross'];

/**
 * Builds the named parts that are not up to date.
 * @param {readonly PartName[]} names
 */
export function build(names) {
  const outdated = names.filter((name) => !parts[name].isCurrent());
  if (outdated.length === 0) return;
  if (process.env[lockIsHeld] === undefined) {
    const missing = findMissing();
    if (missing.length > 0) throw new ExplainedError(explainMissing(missing));
    buildUnderLock(outdated);
  } else {
    for (const name of outdated) parts[name].build();
  }
}

/**
 * Builds in a process of its own that holds the lock: the kernel releases it however that process ends.
 * @param {readonly PartName[]} names
 */
function buildUnderLock(names) {
  mkdirSync(stateDirectory, { recursive: true });
  const wait = [`--timeout=${longestWaitSeconds}`, `--conflict-exit-code=${lockConflict}`, '--close'];
  const command = [process.execPath, join(root, 'scripts/build.mjs'), ...names];
  const { error, status } = spawnSync('flock', [...wait, join(stateDirectory, 'lock'), ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, [lockIsHeld]: '1' },
  });
  if (error) throw new ExplainedError(`flock (of util-linux) could not be started: ${error.message}`);
  if (status === lockConflict) {
    throw new ExplainedError(
      `another build in this checkout has not ended for ${longestWaitSeconds} s; end it first`,
    );
  }
  if (status !== 0) throw new ExplainedError(`the build failed; what went wrong is said above`);
}
