// Makes a fresh clone ready: checks the machine, installs the npm packages, builds. Safe to repeat, and quick when
// nothing is missing. As root on Debian or Ubuntu it installs what the machine lacks; elsewhere it says what to do.

import { build, partNames } from './lib/build.mjs';
import { identifyProgram } from './lib/commands.mjs';
import { installPackages, isInstalled } from './lib/npm.mjs';
import { ExplainedError, runScript } from './lib/project.mjs';
import { buildPrograms, findMissing, findUnusable } from './lib/requirements.mjs';
import { digestOf, isStamped, writeStamp } from './lib/stamp.mjs';
import { explainMissing, installMissing } from './lib/system-packages.mjs';

/** The machine was tried out with these programs; the trials are repeated when one of them changes. */
const machineDigest = () => digestOf(buildPrograms.map(identifyProgram), []);

function checkMachine() {
  if (isStamped('machine', machineDigest()) && findMissing().length === 0) return;
  const missing = findUnusable();
  if (missing.length > 0) {
    installMissing(missing);
    const remaining = findUnusable();
    if (remaining.length > 0) {
      throw new ExplainedError(`the packages were installed, and still ${explainMissing(remaining)}`);
    }
  }
  writeStamp('machine', machineDigest());
}

runScript(() => {
  checkMachine();
  if (!isInstalled()) installPackages();
  build(partNames);
});
