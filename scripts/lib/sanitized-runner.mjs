// What builds of the runner with the address and undefined-behaviour sanitizers share. The translated engine and its
// extension are linked as they were built: they are generated, they confine themselves to their linear memory, and
// instrumented they would be too slow to try much, and take minutes to compile.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExplainedError, filesBelow, root } from './project.mjs';

export const generatedFolder = 'build/Release/obj/gen';

const engineObjects = [
  'build/Release/obj.target/engine/gen/engine/engine.o',
  'build/Release/obj.target/url-extension/gen/engine/url_module.o',
];

const corruptionObject = 'build/Release/obj.target/corruption-module/gen/engine/corruption_module.o';

export const includeFolders = [
  'native',
  'native/engine',
  'native/runner',
  generatedFolder,
  `${generatedFolder}/engine`,
  `${generatedFolder}/runner`,
];

/** For the compiler, wherever it runs. */
export const sanitizerFlags = [
  '-std=gnu17',
  '-D_GNU_SOURCE',
  '-DWARDENPOOL_SANITIZED=1',
  '-Wall',
  '-Wextra',
  '-O1',
  '-g',
  '-fPIE',
  '-fno-omit-frame-pointer',
  '-fno-strict-aliasing',
  '-fsanitize=address,undefined',
  '-fno-sanitize-recover=all',
  ...includeFolders.flatMap((folder) => ['-I', join(root, folder)]),
];

/** For the linker: what is left undefined in the extension is in functions that nobody reaches. */
export const sanitizerLinkFlags = ['-pie', '-Wl,--gc-sections'];

/** The runner's own C files; those of the stand-alone program are in `native/runner` too. */
export const runnerSources = () =>
  ['native/engine', 'native/runner'].flatMap(filesBelow).filter((path) => path.endsWith('.c'));

/** The objects of the engine, below the root. Throws if they have not been built. */
export const builtEngineObjects = () => engineObjects.map(built);

/** The same of the module by which a guest corrupts itself, for tests. */
export const builtCorruptionObject = () => built(corruptionObject);

/** @param {string} path */
function built(path) {
  if (!existsSync(join(root, path)))
    throw new ExplainedError(`${path} is missing; run node scripts/build.mjs native`);
  return path;
}
