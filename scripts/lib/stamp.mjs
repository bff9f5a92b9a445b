// Remembers from which inputs something was made, so that making it again can be skipped.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, stateDirectory } from './project.mjs';

/**
 * One digest of facts and of the names and contents of files.
 * @param {readonly string[]} facts
 * @param {readonly string[]} files  relative to the root
 */
export function digestOf(facts, files) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Whether `name` was last made from `digest`, and every file that it made is still there.
 * @param {string} name
 * @param {string} digest
 */
export function isStamped(name, digest) {
  const path = stampPath(name);
  if (!existsSync(path)) return false;
  const [madeFrom, ...outputs] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return madeFrom === digest && outputs.every((output) => existsSync(join(root, output)));
}

/**
 * @param {string} name
 * @param {string} digest
 * @param {readonly string[]} [outputs]  relative to the root
 */
export function writeStamp(name, digest, outputs = []) {
  mkdirSync(stateDirectory, { recursive: true });
  writeFileSync(stampPath(name), `${[digest, ...outputs].join('\n')}\n`);
}

/** @param {string} name */
export function removeStamp(name) {
  rmSync(stampPath(name), { force: true });
}

/** @param {string} name */
const stampPath = (name) => join(stateDirectory, `${name}.stamp`);
