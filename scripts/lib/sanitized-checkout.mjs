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
import { sanitizedExecutables } from './sanitized-executables.mjs';
import { includeFolders } from './sanitized-runner.mjs';
import { writeDigests } from './shipped-files.mjs';

const compileTimeoutMs = 10 * 60_000;

/** What a checkout inside build does without. */
const leftOut = new Set(['.git', 'build', 'node_modules', 'prebuilds']);

/** @typedef {import('./sanitized-variants.mjs').SanitizedVariant} SanitizedVariant */
/** @typedef {import('./sanitized-executables.mjs').Executable} Executable */

/** @param {SanitizedVariant} variant */
export const checkoutOf = ({ name }) => join(root, 'build/sanitized', name);

/** @param {SanitizedVariant} variant */
const objectFolder = ({ name }) => join(root, 'build/sanitized', `${name}-objects`);

/** @param {string} source */
const objectName = (source) => source.replaceAll('/', '-').replace(/\.cc?$/, '.o');

/**
 * Makes the checkout anew, and builds what is in it.
 * @param {SanitizedVariant} variant
 * @param {string[]} [only]  names of executables, where not all are needed
 */
export function makeSanitizedCheckout(variant, only) {
  const executables = Object.entries(sanitizedExecutables(variant)).filter(
    ([name]) => only === undefined || only.includes(name),
  );
  const checkout = checkoutOf(variant);
  const release = join(checkout, 'build/Release');
  rmSync(checkout, { recursive: true, force: true });
  mkdirSync(release, { recursive: true });
  for (const entry of readdirSync(root)) {
    if (!leftOut.has(entry)) cpSync(join(root, entry), join(checkout, entry), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  timed(`building with sanitizers: ${variant.name}`, () => {
    mkdirSync(objectFolder(variant), { recursive: true });
    const sources = [...new Set(executables.flatMap(([, executable]) => executable.sources))];
    compile(
      variant,
      sources.filter((source) => !isAttacker(source)),
      variant.flags,
    );
    compile(variant, sources.filter(isAttacker), []);
    for (const [name, executable] of executables) link(variant, executable, join(release, name));
    buildAddon(variant, join(release, 'wardenpool.node'));
  });
  writeDigests(release);
}

/**
 * @param {SanitizedVariant} variant
 * @param {Executable} executable
 * @param {string} output
 */
function link(variant, { sources, objects, wrapped }, output) {
  cc([
    ...variant.flags,
    ...variant.executable,
    ...wrapped.map((name) => `-Wl,--wrap=${name}`),
    ...sources.map((source) => join(objectFolder(variant), objectName(source))),
    ...objects.map((path) => join(root, path)),
    '-lm',
    '-o',
    output,
  ]);
}

/**
 * Attackers do on purpose what a sanitizer would end them for.
 * @param {string} source
 */
const isAttacker = (source) => source.startsWith('native/probe/');

/**
 * Compiles in as many processes as there are processors.
 * @param {SanitizedVariant} variant
 * @param {string[]} sources
 * @param {string[]} sanitizerFlags
 */
function compile(variant, sources, sanitizerFlags) {
  if (sources.length === 0) return;
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
    ...sanitizerFlags,
    ...includeFolders.flatMap((folder) => ['-I', join(root, folder)]),
  ];
  const commands = sources.map((source) =>
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
