// The versions of Node.js that scripts start programs with, besides the one they run in themselves: npm packages with the
// binaries of nodejs.org, pinned in scripts/node-versions and installed below build. Knows nothing of what is done with them.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.mjs';
import { installPackages, isInstalled } from './npm.mjs';
import { ExplainedError, root } from './project.mjs';

const pins = join(root, 'scripts/node-versions');
const folder = 'build/node-versions';
const startTimeoutMs = 30_000;

/**
 * @typedef {object} NodeVersion
 * @property {string} version   as it says itself, without a "v"
 * @property {string} binaries  the folder that has `node` and nothing else, to be first on a PATH
 * @property {string} program   the executable file
 */

/** Every major version that is pinned, in ascending order. */
export function pinnedMajors() {
  const { dependencies } = JSON.parse(readFileSync(join(pins, 'package.json'), 'utf8'));
  return Object.keys(dependencies).map((name) => Number(name.slice('node-'.length)));
}

/**
 * Installs all of them where that is not done yet, and finds one. Throws an ExplainedError if it cannot be installed or started.
 * @param {number} major  one of pinnedMajors()
 * @returns {NodeVersion}
 */
export function provideNode(major) {
  const binaries = join(root, folder, 'node_modules', `node-${major}`, 'bin');
  const program = join(binaries, 'node');
  try {
    install();
    const version = run(program, ['--version'], { timeoutMs: startTimeoutMs }).trim().slice(1);
    return { version, binaries, program };
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    throw new ExplainedError(
      `there is no Node.js ${major} to run: it is installed in ${folder} from npm's registry (npm config get registry), and is for Linux ` +
        `on x86-64. See to it that the registry answers, delete ${folder}, and try again.\n${error.message}`,
    );
  }
}

/** npm installs beside the lock file, so it is given a copy where nothing is committed and nobody copies the checkout from. */
function install() {
  mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(pins, file), join(root, folder, file));
  if (!isInstalled(folder)) installPackages(folder);
}
