// prebuilds/: the native files of the package, for each architecture that it is shipped for, named as node-gyp-build looks for
// them. The addon's name says that it is for glibc, so that it is not taken where there is another C library.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, everyPartName } from './build.mjs';
import { run } from './commands.mjs';
import { crossOutputFolder } from './cross-build.mjs';
import { outputFolder } from './native-build.mjs';
import { ExplainedError, root, say } from './project.mjs';
import { crossTools, packagingRequirements } from './requirements.mjs';
import { shippedFiles, writeDigests } from './shipped-files.mjs';
import { installMissing } from './system-packages.mjs';

const trialTimeoutMs = 60_000;

/** @param {string} name  of a file as it is built */
const publishedName = (name) => name.replace(/\.node$/, '.glibc.node');

/** Builds everything that is out of date, and makes the folder anew. */
export function makePrebuilds() {
  requirePackaging();
  build(everyPartName);
  rmSync(join(root, 'prebuilds'), { recursive: true, force: true });
  fill(process.arch, outputFolder);
  fill(crossTools.architecture, crossOutputFolder);
  run(crossTools.emulator, [join(root, crossOutputFolder, 'code-runner'), '--version'], {
    timeoutMs: trialTimeoutMs,
  });
}

function requirePackaging() {
  const absent = () => packagingRequirements.filter(({ isPresent }) => !isPresent());
  if (absent().length === 0) return;
  installMissing(absent());
  const [remaining] = absent();
  if (remaining !== undefined)
    throw new ExplainedError(`the packages were installed, and this is missing: ${remaining.what}`);
}

/**
 * @param {string} architecture
 * @param {string} built  the folder of the files
 */
function fill(architecture, built) {
  const folder = join(root, 'prebuilds', `linux-${architecture}`);
  mkdirSync(folder, { recursive: true });
  for (const name of shippedFiles) cpSync(join(root, built, name), join(folder, publishedName(name)));
  for (const line of writeDigests(folder, shippedFiles.map(publishedName))) say(`${architecture}: ${line}`);
}
