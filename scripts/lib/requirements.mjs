// What a machine needs before wardenpool can be built and tested: the list, and how each item is recognised. It
// knows nothing of installing.
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { findProgram, run, succeeds } from './commands.mjs';
import { root } from './project.mjs';
import { inTemporaryDirectory } from './temporary-directory.mjs';

/**
 * @typedef {object} Requirement
 * @property {string} what              in words, with the reason
 * @property {string[]} debian          packages that provide it on Debian and Ubuntu; empty if none does
 * @property {string[]} fedora          the same for Fedora
 * @property {() => boolean} isPresent  a look that costs next to nothing
 * @property {() => boolean} [works]    a trial, made only if everything is present
 */

const trialTimeoutMs = 30_000;

/** The compilers that node-gyp's makefiles will use, each with its arguments. */
export const compilers = {
  c: (process.env['CC'] ?? 'cc').split(/\s+/),
  cxx: (process.env['CXX'] ?? 'g++').split(/\s+/),
};

/** Programs whose change of version calls for a complete build. */
export const buildPrograms = [compilers.c[0] ?? 'cc', compilers.cxx[0] ?? 'g++', 'wasm2c'];

const minimumNode = readMinimumNode();

/** @type {Requirement[]} */
export const requirements = [
  {
    what: `Node.js ${minimumNode} or later (this is ${process.versions.node}); see https://nodejs.org/en/download`,
    debian: [],
    fedora: [],
    isPresent: () => isAtLeast(process.versions.node, minimumNode),
  },
  {
    what: `Linux, for which the native part is written (this is ${process.platform}); a virtual machine or container will do`,
    debian: [],
    fedora: [],
    isPresent: () => process.platform === 'linux',
  },
  {
    what: `a C compiler (${compilers.c[0]}), for the launcher, the runner and the engine`,
    debian: ['gcc', 'libc6-dev'],
    fedora: ['gcc', 'glibc-devel'],
    isPresent: () => findProgram(compilers.c[0] ?? '') !== undefined,
  },
  {
    what: `a C++ compiler (${compilers.cxx[0]}), for the addon`,
    debian: ['g++'],
    fedora: ['gcc-c++'],
    isPresent: () => findProgram(compilers.cxx[0] ?? '') !== undefined,
  },
  {
    what: 'make, which node-gyp uses',
    debian: ['make'],
    fedora: ['make'],
    isPresent: () => findProgram('make') !== undefined,
  },
  {
    what: 'python3, which node-gyp uses',
    debian: ['python3'],
    fedora: ['python3'],
    isPresent: () => findProgram('python3') !== undefined,
  },
  {
    what: 'wasm2c, which translates the engine to C',
    debian: ['wabt'],
    fedora: ['wabt'],
    isPresent: () => findProgram('wasm2c') !== undefined,
  },
  {
    what: 'bwrap (bubblewrap 0.7 or later), one of the backends of commands, which the benchmark compares with too',
    debian: ['bubblewrap'],
    fedora: ['bubblewrap'],
    isPresent: () => findProgram('bwrap') !== undefined,
  },
  {
    what: 'socat, which the benchmark of commands compares with',
    debian: ['socat'],
    fedora: ['socat'],
    isPresent: () => findProgram('socat') !== undefined,
  },
  {
    what: 'strace, with which the benchmark counts system calls',
    debian: ['strace'],
    fedora: ['strace'],
    isPresent: () => findProgram('strace') !== undefined,
  },
  {
    what: 'prometheus and promtool, with which the tests try rules and dashboards; its service is not needed',
    debian: ['prometheus'],
    fedora: ['golang-github-prometheus'],
    isPresent: () => findProgram('prometheus') !== undefined && findProgram('promtool') !== undefined,
  },
  {
    what: 'wasm-rt.h on the include path of the C compiler',
    debian: ['wabt'],
    fedora: ['wabt-devel'],
    isPresent: () => true,
    works: () => compiles('#include <wasm-rt.h>\n', ['-fsyntax-only']),
  },
  {
    what: 'a static C library, to link the static-pie executables that need no file system',
    debian: ['libc6-dev'],
    fedora: ['glibc-static'],
    isPresent: () => true,
    works: () =>
      inTemporaryDirectory((folder) =>
        compiles('int main(void) { return 0; }\n', ['-fPIE', '-static-pie', '-o', join(folder, 'hello')]),
      ),
  },
];

/** What fuzzing needs beside all that; nothing else asks for it. @type {Requirement[]} */
export const fuzzRequirements = [
  {
    what: 'clang with libFuzzer and its sanitizers, with which runner and launcher are fuzzed',
    debian: ['clang', 'libclang-rt-14-dev'],
    fedora: ['clang', 'compiler-rt'],
    isPresent: () => findProgram('clang') !== undefined && isAbsolute(fuzzDriver()),
  },
];

/** The machine that binaries are made for beside this one: how its compilers are named, and what runs its programs here. */
export const crossTools = {
  architecture: 'arm64',
  c: 'aarch64-linux-gnu-gcc',
  cxx: 'aarch64-linux-gnu-g++',
  ar: 'aarch64-linux-gnu-ar',
  emulator: 'qemu-aarch64',
};

/** What `npm pack` needs beside all that; nothing else asks for it. @type {Requirement[]} */
export const packagingRequirements = [
  {
    what: `an x86-64 machine, from which the binaries for ${crossTools.architecture} are built (this is ${process.arch})`,
    debian: [],
    fedora: [],
    isPresent: () => process.arch === 'x64',
  },
  {
    what: `compilers for ${crossTools.architecture} (${crossTools.c}, ${crossTools.cxx}), with a static C library`,
    debian: ['gcc-aarch64-linux-gnu', 'g++-aarch64-linux-gnu', 'libc6-dev-arm64-cross'],
    fedora: [],
    isPresent: () =>
      [crossTools.c, crossTools.cxx, crossTools.ar].every((name) => findProgram(name) !== undefined),
  },
  {
    what: `${crossTools.emulator} (qemu-user), by which what was built for ${crossTools.architecture} is tried`,
    debian: ['qemu-user'],
    fedora: ['qemu-user'],
    isPresent: () => findProgram(crossTools.emulator) !== undefined,
  },
];

/** libFuzzer without a main function; no path but the bare name if the installed clang has none. */
export function fuzzDriver() {
  return run('clang', ['-print-file-name=libclang_rt.fuzzer_no_main-x86_64.a'], {
    timeoutMs: trialTimeoutMs,
  }).trim();
}

/** What is visibly absent. */
export function findMissing() {
  return requirements.filter(({ isPresent }) => !isPresent());
}

/** What is absent, or is there and does not work. Costs a few tenths of a second. */
export function findUnusable() {
  const missing = findMissing();
  if (missing.some(({ debian }) => debian.includes('gcc'))) return missing;
  return [...missing, ...requirements.filter(({ works }) => works !== undefined && !works())];
}

/**
 * @param {string} source
 * @param {string[]} args
 */
function compiles(source, args) {
  const [program = 'cc', ...first] = compilers.c;
  return succeeds(program, [...first, '-x', 'c', ...args, '-'], { timeoutMs: trialTimeoutMs, input: source });
}

function readMinimumNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return String(engines.node).replace(/^>=/, '');
}

/**
 * @param {string} version
 * @param {string} minimum
 */
function isAtLeast(version, minimum) {
  const [have, need] = [version, minimum].map((text) => text.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (have?.[i] ?? 0) - (need?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
