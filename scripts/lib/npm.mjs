// npm as it is installed on this machine: its command, its node-gyp, and whether node_modules is what
// package-lock.json asks for. Works inside `npm run` and without.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findProgram, run } from './commands.mjs';
import { ExplainedError, root, timed } from './project.mjs';

const installTimeoutMs = 15 * 60_000;
const configTimeoutMs = 30_000;

/** The file to run with Node as npm. */
export function npmCommand() {
  const onPath = findProgram('npm');
  const candidates = [
    process.env['npm_execpath'],
    onPath && realpathSync(onPath),
    join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js'),
  ];
  const found = candidates.find((path) => path?.endsWith('npm-cli.js') && existsSync(path));
  if (found === undefined) {
    throw new ExplainedError(
      'npm was not found on the PATH or beside node; install it (it comes with Node.js)',
    );
  }
  return found;
}

/** The file to run with Node as node-gyp: npm's own, so that its version fits this Node. */
export function nodeGypCommand() {
  const configured = process.env['npm_config_node_gyp'];
  if (configured && existsSync(configured)) return configured;
  return createRequire(npmCommand()).resolve('node-gyp/bin/node-gyp.js');
}

/**
 * The folder whose include/node has the headers of this Node, where that is known without a download: as npm is
 * configured, else beside the running node (official builds bring them). Undefined lets node-gyp fetch them.
 * @returns {string | undefined}
 */
export function nodeHeaders() {
  const configured =
    process.env['npm_config_nodedir'] ??
    run(process.execPath, [npmCommand(), 'config', 'get', 'nodedir'], { timeoutMs: configTimeoutMs }).trim();
  if (configured && configured !== 'undefined' && configured !== 'null') return configured;
  const prefix = dirname(dirname(realpathSync(process.execPath)));
  return headerVersion(prefix) === process.versions.node ? prefix : undefined;
}

/** @param {string} prefix */
function headerVersion(prefix) {
  const header = join(prefix, 'include/node/node_version.h');
  if (!existsSync(header)) return undefined;
  const text = readFileSync(header, 'utf8');
  return ['MAJOR', 'MINOR', 'PATCH']
    .map((part) => new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text)?.[1])
    .join('.');
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/**
 * Whether node_modules holds what package-lock.json says; npm records there what it has installed.
 * @param {string} [folder]  of the checkout; default its root
 */
export function isInstalled(folder = '.') {
  const installed = readLock(join(folder, 'node_modules/.package-lock.json'));
  const lock = join(folder, 'package-lock.json');
  const wanted = readLock(lock);
  if (wanted === undefined) throw new ExplainedError(`${lock} is missing; restore it with git checkout`);
  if (installed === undefined) return false;
  /** @param {string} path */
  const isSame = (path) =>
    installed[path]?.version === wanted[path]?.version &&
    installed[path]?.integrity === wanted[path]?.integrity;
  return (
    Object.keys(installed).every(isSame) &&
    Object.entries(wanted).every(([path, { optional }]) => path === '' || optional || isSame(path))
  );
}

/**
 * @param {string} file
 * @returns {LockedPackages | undefined}
 */
function readLock(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

/**
 * Installs node_modules from package-lock.json, without running any package's scripts (nor our own `prepare`).
 * @param {string} [folder]  of the checkout; default its root
 */
export function installPackages(folder = '.') {
  const args = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  timed(`installing the npm packages of ${join(folder, 'package-lock.json')}`, () =>
    run(process.execPath, [npmCommand(), ...args, '--prefix', join(root, folder)], {
      timeoutMs: installTimeoutMs,
    }),
  );
}
