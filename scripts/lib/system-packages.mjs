// Meets missing requirements with packages of the operating system: installs them where that is ours to do (root, with
// apt-get), and otherwise says the exact command.
import { findProgram, run } from './commands.mjs';
import { ExplainedError, timed } from './project.mjs';

/** @typedef {import('./requirements.mjs').Requirement} Requirement */

const installTimeoutMs = 15 * 60_000;
const aptOptions = ['-qq', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3'];

/**
 * Installs what is missing, or throws an ExplainedError with all of it and what to do.
 * @param {readonly Requirement[]} missing
 */
export function installMissing(missing) {
  const packages = packagesOf(missing, 'debian');
  const installable = missing.every(({ debian }) => debian.length > 0);
  if (!installable || process.getuid?.() !== 0 || findProgram('apt-get') === undefined) {
    throw new ExplainedError(explainMissing(missing));
  }
  timed(`installing the Debian packages ${packages.join(' ')}`, () => {
    aptGet(['update']);
    aptGet(['install', '--yes', '--no-install-recommends', ...packages]);
  });
}

/** @param {string[]} args */
function aptGet(args) {
  run('apt-get', [...aptOptions, ...args], {
    timeoutMs: installTimeoutMs,
    environment: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/**
 * All that is missing, and the command that provides it.
 * @param {readonly Requirement[]} missing
 * @returns {string}
 */
export function explainMissing(missing) {
  const lines = ['this machine lacks:', ...missing.map(({ what }) => `  - ${what}`)];
  if (packagesOf(missing, 'debian').length > 0)
    lines.push('Install what has a package with:', `  ${installCommand(missing)}`);
  lines.push('Then run the same command again.');
  return lines.join('\n');
}

/** @param {readonly Requirement[]} missing */
function installCommand(missing) {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  if (findProgram('apt-get') === undefined && findProgram('dnf') !== undefined) {
    return `${sudo}dnf install -y ${packagesOf(missing, 'fedora').join(' ')}`;
  }
  const names = packagesOf(missing, 'debian').join(' ');
  const command = `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${names}`;
  return findProgram('apt-get') === undefined ? `${command}    # or what these are called here` : command;
}

/**
 * @param {readonly Requirement[]} missing
 * @param {'debian' | 'fedora'} system
 */
function packagesOf(missing, system) {
  return [...new Set(missing.flatMap((requirement) => requirement[system]))].sort();
}
