// Builds what is shipped for another architecture (crossTools) in a copy of the native sources, below build. The engine is not
// trained: its counts would have to come from that machine. Nothing but packaging asks for it.
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identifyProgram } from './commands.mjs';
import { outputFolder, runNodeGyp } from './native-build.mjs';
import { filesBelow, root, timed } from './project.mjs';
import { crossTools } from './requirements.mjs';
import { shippedFiles } from './shipped-files.mjs';
import { digestOf, isStamped, removeStamp, writeStamp } from './stamp.mjs';

const checkout = join('build', crossTools.architecture);
const stamp = `native-${crossTools.architecture}`;

/** Targets of binding.gyp: the files without their suffixes. */
const targets = shippedFiles.map((name) => name.replace('.node', ''));

/** All that binding.gyp names; it lists the folder of the benchmark's floor, too. */
const sources = () => [
  'binding.gyp',
  'package.json',
  ...filesBelow('native').filter((path) => !path.startsWith('native/fuzz/')),
  ...filesBelow('bench/floor'),
];

/** Where they are after crossBuild(), relative to the root. */
export const crossOutputFolder = join(checkout, outputFolder);

function inputDigest() {
  const facts = [process.version, ...[crossTools.c, crossTools.cxx, 'wasm2c'].map(identifyProgram)];
  return digestOf(facts, ['package-lock.json', 'scripts/lib/cross-build.mjs', ...sources()]);
}

export function isCrossCurrent() {
  return isStamped(stamp, inputDigest());
}

export function buildCross() {
  const { architecture, c, cxx, ar } = crossTools;
  const inputs = inputDigest();
  removeStamp(stamp);
  for (const path of sources()) {
    mkdirSync(dirname(join(root, checkout, path)), { recursive: true });
    // make goes by the times.
    cpSync(join(root, path), join(root, checkout, path), { preserveTimestamps: true });
  }
  const modules = join(root, checkout, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules);
  timed(`building native code for ${architecture} (the engine takes about a minute)`, () =>
    runNodeGyp([`--arch=${architecture}`, ...targets], {
      folder: join(root, checkout),
      environment: { CC: c, CXX: cxx, AR: ar, WARDENPOOL_TRAIN_ENGINE: '0' },
    }),
  );
  writeStamp(
    stamp,
    inputs,
    shippedFiles.map((name) => join(crossOutputFolder, name)),
  );
}
