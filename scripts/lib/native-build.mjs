// Builds what binding.gyp describes into build/Release, with npm's node-gyp. Unchanged inputs cost a digest; changed
// sources cost what make finds; another compiler, Node or translator costs everything.
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { identifyProgram, run } from './commands.mjs';
import { nodeGypCommand, nodeHeaders } from './npm.mjs';
import { filesBelow, root, say, timed } from './project.mjs';
import { buildPrograms } from './requirements.mjs';
import { writeDigests } from './shipped-files.mjs';
import { digestOf, isStamped, removeStamp, writeStamp } from './stamp.mjs';

const buildTimeoutMs = 20 * 60_000;
export const outputFolder = 'build/Release';

/** What make does not look at: a change of these is none of any source file. */
function toolchainDigest() {
  const settings = ['CC', 'CXX', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS'].map(
    (name) => `${name}=${process.env[name] ?? ''}`,
  );
  const node = `${process.version} ${process.platform} ${process.arch}`;
  return digestOf([node, ...settings, ...buildPrograms.map(identifyProgram)], []);
}

function inputDigest() {
  const sources = [...filesBelow('native'), ...filesBelow('bench/floor')];
  return digestOf([toolchainDigest()], ['binding.gyp', 'package-lock.json', ...sources]);
}

export function isNativeCurrent() {
  return isStamped('native', inputDigest());
}

export function buildNative() {
  const inputs = inputDigest();
  const toolchain = toolchainDigest();
  removeStamp('native');
  if (!isStamped('toolchain', toolchain)) {
    rmSync(join(root, outputFolder), { recursive: true, force: true });
    writeStamp('toolchain', toolchain);
  }
  const first = existsSync(join(root, outputFolder)) ? '' : ' (the engine takes about a minute)';
  timed(`building native code${first}`, () => runNodeGyp([]));
  for (const line of writeDigests(join(root, outputFolder))) say(line);
  writeStamp('native', inputs, builtFiles());
}

/**
 * Configures and builds in a folder that has a binding.gyp.
 * @param {readonly string[]} args      options, and targets; default all
 * @param {{ folder?: string, environment?: Record<string, string> }} [where]  default this checkout
 */
export function runNodeGyp(args, where = {}) {
  const headers = nodeHeaders();
  const options = [`--jobs=${availableParallelism()}`, '--loglevel=error'];
  if (headers !== undefined) options.push(`--nodedir=${headers}`);
  run(process.execPath, [nodeGypCommand(), 'configure', 'build', ...options, ...args], {
    ...where,
    timeoutMs: buildTimeoutMs,
    showErrors: true,
  });
}

/** The addon and the executables: what lies in the output folder itself, intermediate files being deeper. */
function builtFiles() {
  return filesBelow(outputFolder).filter(
    (path) => path.split('/').length === outputFolder.split('/').length + 1,
  );
}
