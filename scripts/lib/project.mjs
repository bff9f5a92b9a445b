// Where things are in this checkout, and how the scripts talk: one line for each thing that takes time, on stderr.
// Plain Node without dependencies, as it runs before anything is installed.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the scripts remember between two runs; deleting it costs time and nothing else. */
export const stateDirectory = join(root, 'build', 'state');

/** @param {string} line */
export function say(line) {
  process.stderr.write(`wardenpool: ${line}\n`);
}

/** A failure that its message explains completely: it is shown without a stack. */
export class ExplainedError extends Error {}

/**
 * Runs a script's main function and turns what it throws into a message and exit status 1.
 * @param {() => void} main
 */
export function runScript(main) {
  try {
    main();
  } catch (error) {
    const explained = error instanceof ExplainedError;
    say(explained ? error.message : String(error instanceof Error ? error.stack : error));
    process.exitCode = 1;
  }
}

/**
 * Does `work` and says how long it took.
 * @template T
 * @param {string} title
 * @param {() => T} work
 * @returns {T}
 */
export function timed(title, work) {
  say(`${title} …`);
  const started = performance.now();
  const result = work();
  say(`${title}: done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/**
 * Every file below a folder of the checkout, sorted, relative to the root; empty if there is no such folder.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesBelow(folder) {
  /** @type {string[]} */
  const files = [];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...filesBelow(path));
    else if (entry.isFile()) files.push(path);
  }
  return files.sort();
}

/** @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
