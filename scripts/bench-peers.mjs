// Compares with other ways to run a program: installs them in bench/peers, apart from the project's own packages, and
// starts bench/peers/main.ts under a Node.js that all of them work with, as not every peer does with every version.
//   node scripts/bench-peers.mjs [OPTIONS OF THE COMPARISON]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findProgram } from './lib/commands.mjs';
import { provideNode } from './lib/node-versions.mjs';
import { installPackages, isInstalled } from './lib/npm.mjs';
import { ExplainedError, root, runScript } from './lib/project.mjs';
import { explainMissing, installMissing } from './lib/system-packages.mjs';

const folder = 'bench/peers';

/** @type {import('./lib/requirements.mjs').Requirement[]} */
const requirements = [
  {
    what: 'rg, without which @anthropic-ai/sandbox-runtime does not start',
    debian: ['ripgrep'],
    fedora: ['ripgrep'],
    isPresent: () => findProgram('rg') !== undefined,
  },
];

const nodeOptions = [
  // isolated-vm must not run in a process that was started from a snapshot.
  '--no-node-snapshot',
  // For a collection between two measurements, so that none pays for another's garbage.
  '--expose-gc',
  // What ts-node and one of the peers use, and nobody here can change.
  '--disable-warning=DEP0180',
  '--disable-warning=ExperimentalWarning',
  '--import',
  './scripts/register-ts.mjs',
];

const findMissing = () => requirements.filter(({ isPresent }) => !isPresent());

function meetRequirements() {
  const missing = findMissing();
  if (missing.length > 0) installMissing(missing);
  const remaining = findMissing();
  if (remaining.length > 0) throw new ExplainedError(explainMissing(remaining));
}

/** Types of the peers are there only now, so `npm run check` leaves this folder out. */
function checkTypes() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return start(process.execPath, [compiler, '--noEmit', '--project', folder]);
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function start(program, args) {
  const { error, status, signal } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (error) throw new ExplainedError(`${program} could not be started: ${error.message}`);
  if (status !== 0) throw new ExplainedError(`the comparison failed (${signal ?? `exit status ${status}`})`);
}

runScript(() => {
  meetRequirements();
  if (!isInstalled(folder)) installPackages(folder);
  const options = process.argv.slice(2);
  if (options.includes('--smoke')) checkTypes();
  start(provideNode(24).program, [...nodeOptions, `${folder}/main.ts`, ...options]);
});
