// The fuzz targets of native/fuzz, built with clang, libFuzzer and the address and undefined-behaviour sanitizers into
// build/fuzz. The translated engine is linked as it was built: it is generated, it confines itself to its linear memory,
// and instrumented it would be too slow to try much.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProgram, run } from './commands.mjs';
import { ExplainedError, filesBelow, root, timed } from './project.mjs';
import { fuzzDriver } from './requirements.mjs';
import { digestOf, isStamped, removeStamp, writeStamp } from './stamp.mjs';

const compileTimeoutMs = 5 * 60_000;

export const fuzzFolder = 'build/fuzz';
const objectFolder = `${fuzzFolder}/runner`;
const generated = 'build/Release/obj/gen';
const engineObject = 'build/Release/obj.target/engine/gen/engine/engine.o';

const flags = [
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
  ...['native', 'native/engine', 'native/runner', 'native/fuzz', generated, `${generated}/engine`].flatMap(
    (folder) => ['-I', join(root, folder)],
  ),
];

/** Of the runner, what its front needs to read frames: no engine, and nothing that maps memory or writes to stderr. */
const frameReaderSources = [
  'json_scan.c',
  'json_string.c',
  'json_key_set.c',
  'execute_frame.c',
  'run_limits.c',
  'bridge_features.c',
  'text.c',
].map((name) => `native/runner/${name}`);

/** Everything but the parts of a program of its own. */
const runnerSources = () =>
  [...filesBelow('native/engine'), ...filesBelow('native/runner')].filter(
    (path) => path.endsWith('.c') && !/\/(code_runner|command_line)\.c$/.test(path),
  );

/**
 * @typedef {object} FuzzTarget
 * @property {string} name
 * @property {number} smokeRuns   how many inputs a short trial makes, some 10 s of them
 * @property {string[]} options   of libFuzzer
 * @property {() => void} build
 */

/** @type {FuzzTarget[]} */
export const fuzzTargets = [
  { name: 'frame_reader', smokeRuns: 12_000, options: ['-max_len=8192'], build: buildFrameReader },
  {
    name: 'runner_front',
    smokeRuns: 500,
    // The memory is that of the children, which have limits of their own.
    options: ['-max_len=4096', '-rss_limit_mb=0'],
    build: buildRunnerFront,
  },
];

/** @param {FuzzTarget} target */
export const programOf = ({ name }) => join(fuzzFolder, name);

/** Builds the targets, unless they are up to date. */
export function buildFuzzTargets() {
  if (!existsSync(join(root, engineObject))) {
    throw new ExplainedError(`${engineObject} is missing; run node scripts/build.mjs native`);
  }
  const sources = ['native/fuzz', 'native/runner', 'native/engine'].flatMap(filesBelow);
  const inputs = digestOf(
    [identifyProgram('clang'), ...flags],
    [
      ...sources.filter((path) => /\.[ch]$/.test(path)),
      engineObject,
      // The bootstrap is embedded in a header.
      ...filesBelow(generated).filter((path) => path.endsWith('.h')),
      'scripts/lib/fuzz-targets.mjs',
    ],
  );
  if (isStamped('fuzz', inputs)) return;
  removeStamp('fuzz');
  timed('building the fuzz targets', () => {
    mkdirSync(join(root, objectFolder), { recursive: true });
    for (const target of fuzzTargets) target.build();
  });
  writeStamp('fuzz', inputs, fuzzTargets.map(programOf));
}

function buildFrameReader() {
  const sources = ['native/fuzz/frame_reader.c', 'native/fuzz/json_oracle.c', ...frameReaderSources];
  clang([
    '-fsanitize=fuzzer',
    ...sources.map((path) => join(root, path)),
    '-lm',
    '-o',
    join(root, fuzzFolder, 'frame_reader'),
  ]);
}

/** The runner is instrumented for coverage, the host that tries it is not. */
function buildRunnerFront() {
  const runner = runnerSources();
  clang([
    '-fsanitize-coverage=inline-8bit-counters,pc-table',
    '-c',
    ...runner.map((path) => join(root, path)),
  ]);
  const host = ['runner_front.c', 'runner_conversation.c', 'frame_mutator.c', 'json_oracle.c'];
  clang([
    '-pie',
    ...host.map((name) => join(root, 'native/fuzz', name)),
    ...runner.map((path) => path.replace(/^.*\/(.*)\.c$/, '$1.o')),
    join(root, engineObject),
    fuzzDriver(),
    '-lstdc++',
    '-lm',
    '-o',
    join(root, fuzzFolder, 'runner_front'),
  ]);
}

/**
 * Runs the compiler in the folder of the objects.
 * @param {string[]} args
 */
function clang(args) {
  run('clang', [...flags, ...args], {
    folder: join(root, objectFolder),
    timeoutMs: compileTimeoutMs,
    showErrors: true,
  });
}
