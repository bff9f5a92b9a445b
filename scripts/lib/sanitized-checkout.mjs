// A second checkout inside build, whose native parts are built with sanitizers. Tests find binaries by where they lie
// themselves, and so does the package: in there they take these, and nothing of the package knows of it.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { run } from './commands.mjs';
import { nodeHeaders } from './npm.mjs';
import { filesBelow, root, timed } from './project.mjs';
import { compilers } from './requirements.mjs';
import { builtEngineObjects, includeFolders, runnerSources } from './sanitized-runner.mjs';

const compileTimeoutMs = 10 * 60_000;

/** What a checkout inside build does without. */
const leftOut = new Set(['.git', 'build', 'node_modules', 'prebuilds']);

/**
 * @typedef {object} SanitizedVariant
 * @property {string} name            of its folder
 * @property {string[]} flags         of the C compiler
 * @property {string[]} addon         of the C++ compiler, for the addon, which Node loads
 * @property {string[]} executable    of the linker, for executables
 * @property {string[]} sources       C files that every executable has besides
 */

/** @param {string} folder */
const cFiles = (folder) =>
  filesBelow(folder).filter((path) => dirname(path) === folder && path.endsWith('.c'));
const runner = () => runnerSources().filter((path) => !/\/(code_runner|command_line)\.c$/.test(path));
const launcher = () => ['native/launcher', 'native/command'].flatMap(cFiles);

/** As binding.gyp has them. @type {Record<string, { sources: () => string[], hasEngine: boolean, wrap?: string }>} */
const executables = {
  'wardenpool-launcher': { sources: () => [...launcher(), ...runner()], hasEngine: true },
  'code-runner': { sources: runnerSources, hasEngine: true },
  'probe-launcher': {
    sources: () => [...cFiles('native/probe/runner'), ...launcher(), ...runner()],
    hasEngine: true,
    wrap: '-Wl,--wrap=runner_execute,--wrap=runner_rehearse',
  },
  'probe-command': {
    sources: () => cFiles('native/probe').filter((path) => !path.endsWith('/without_filters.c')),
    hasEngine: false,
  },
};

/** @param {SanitizedVariant} variant */
export const checkoutOf = ({ name }) => join(root, 'build/sanitized', name);

/** @param {SanitizedVariant} variant */
const objectFolder = ({ name }) => join(root, 'build/sanitized', `${name}-objects`);

/** @param {string} source */
const objectName = (source) => source.replaceAll('/', '-').replace(/\.cc?$/, '.o');

/**
 * Makes the checkout anew, and builds what is in it.
 * @param {SanitizedVariant} variant
 */
export function makeSanitizedCheckout(variant) {
  const engineObjects = builtEngineObjects().map((path) => join(root, path));
  const checkout = checkoutOf(variant);
  rmSync(checkout, { recursive: true, force: true });
  mkdirSync(join(checkout, 'build/Release'), { recursive: true });
  for (const entry of readdirSync(root)) {
    if (!leftOut.has(entry)) cpSync(join(root, entry), join(checkout, entry), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  timed(`building with sanitizers: ${variant.name}`, () => {
    mkdirSync(objectFolder(variant), { recursive: true });
    compile(variant);
    for (const [name, { sources, hasEngine, wrap }] of Object.entries(executables)) {
      // A variant that replaces functions itself has no filters, and so nothing to attack.
      if (wrap !== undefined && variant.sources.length > 0) continue;
      const objects = [...sources(), ...variant.sources].map((source) =>
        join(objectFolder(variant), objectName(source)),
      );
      const output = join(checkout, 'build/Release', name);
      cc([
        ...variant.flags,
        ...variant.executable,
        ...(wrap === undefined ? [] : [wrap]),
        ...objects,
        ...(hasEngine ? engineObjects : []),
        '-lm',
        '-o',
        output,
      ]);
    }
    buildAddon(variant, join(checkout, 'build/Release/wardenpool.node'));
  });
}

/** Every source of an executable, in as many processes as there are processors. @param {SanitizedVariant} variant */
function compile(variant) {
  const sources = new Set(Object.values(executables).flatMap((executable) => executable.sources()));
  const [program = 'cc', ...first] = compilers.c;
  const flags = [
    ...[
      '-std=gnu17',
      '-D_GNU_SOURCE',
      '-Wall',
      '-Wextra',
      '-O1',
      '-g',
      '-fPIE',
      '-ffunction-sections',
      '-fno-strict-aliasing',
    ],
    ...variant.flags,
    ...includeFolders.flatMap((folder) => ['-I', join(root, folder)]),
  ];
  const commands = [...sources, ...variant.sources].map((source) =>
    ['-c', join(root, source), '-o', join(objectFolder(variant), objectName(source))].join('\n'),
  );
  run('xargs', ['-d', '\\n', '-n', '4', '-P', String(availableParallelism()), program, ...first, ...flags], {
    timeoutMs: compileTimeoutMs,
    showErrors: true,
    input: `${commands.join('\n')}\n`,
  });
}

/** @param {string[]} args */
function cc(args) {
  const [program = 'cc', ...first] = compilers.c;
  run(program, [...first, ...args], { timeoutMs: compileTimeoutMs, showErrors: true });
}

/**
 * @param {SanitizedVariant} variant
 * @param {string} output
 */
function buildAddon(variant, output) {
  const require = createRequire(import.meta.url);
  const headers = nodeHeaders() ?? dirname(dirname(process.execPath));
  const [program = 'c++', ...first] = compilers.cxx;
  const sources = filesBelow('native/addon').filter((path) => basename(path).endsWith('.cc'));
  run(
    program,
    [
      ...first,
      ...['-std=c++20', '-O1', '-g', '-fPIC', '-shared', '-fexceptions', '-fvisibility=hidden'],
      ...[
        '-D_GNU_SOURCE',
        '-DNAPI_VERSION=9',
        '-DNODE_ADDON_API_CPP_EXCEPTIONS',
        '-DNODE_GYP_MODULE_NAME=wardenpool',
      ],
      '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
      ...variant.addon,
      ...[
        '-I',
        join(headers, 'include/node'),
        '-I',
        require('node-addon-api').include_dir,
        '-I',
        join(root, 'native'),
      ],
      ...sources.map((path) => join(root, path)),
      ...['-o', output],
    ],
    { timeoutMs: compileTimeoutMs, showErrors: true },
  );
}
