// The fuzz targets of native/fuzz, built with clang, libFuzzer and the address and undefined-behaviour sanitizers into
// build/fuzz.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProgram, run } from './commands.mjs';
import { filesBelow, root, timed } from './project.mjs';
import { fuzzDriver } from './requirements.mjs';
import {
  builtEngineObjects,
  generatedFolder,
  runnerSources,
  sanitizerFlags,
  sanitizerLinkFlags,
} from './sanitized-runner.mjs';
import { digestOf, isStamped, removeStamp, writeStamp } from './stamp.mjs';

const compileTimeoutMs = 5 * 60_000;

export const fuzzFolder = 'build/fuzz';
const objectFolder = `${fuzzFolder}/runner`;

const flags = [...sanitizerFlags, '-I', join(root, 'native/fuzz')];

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
const frontSources = () => runnerSources().filter((path) => !/\/(code_runner|command_line)\.c$/.test(path));

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
  { name: 'command_plan', smokeRuns: 100_000, options: ['-max_len=4096'], build: buildCommandPlan },
  { name: 'control_channel', smokeRuns: 40_000, options: ['-max_len=512'], build: buildControlChannel },
  { name: 'command_request', smokeRuns: 40_000, options: ['-max_len=64'], build: buildCommandRequest },
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
  const engineObjects = builtEngineObjects();
  const sources = ['fuzz', 'runner', 'engine', 'command', 'launcher', 'control'].flatMap((folder) =>
    filesBelow(`native/${folder}`),
  );
  const inputs = digestOf(
    [identifyProgram('clang'), ...flags],
    [
      ...sources.filter((path) => /\.[ch]$/.test(path)),
      ...engineObjects,
      // The bootstrap is embedded in a header.
      ...filesBelow(generatedFolder).filter((path) => path.endsWith('.h')),
      'scripts/lib/fuzz-targets.mjs',
      'scripts/lib/sanitized-runner.mjs',
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
  buildInProcess('frame_reader', ['native/fuzz/json_oracle.c', ...frameReaderSources]);
}

function buildCommandPlan() {
  buildInProcess('command_plan', []);
}

function buildControlChannel() {
  buildInProcess('control_channel', ['native/fuzz/control_socket.c', 'native/launcher/channel.c']);
}

function buildCommandRequest() {
  buildInProcess('command_request', ['native/fuzz/control_socket.c', 'native/command/request.c']);
}

/**
 * What is tried in the process of the fuzzer itself.
 * @param {string} name
 * @param {string[]} others  C files besides that of the target
 */
function buildInProcess(name, others) {
  const sources = [`native/fuzz/${name}.c`, ...others].map((path) => join(root, path));
  clang(['-fsanitize=fuzzer', ...sources, '-lm', '-o', join(root, fuzzFolder, name)]);
}

/** The runner is instrumented for coverage, the host that tries it is not. */
function buildRunnerFront() {
  const runner = frontSources();
  clang([
    '-fsanitize-coverage=inline-8bit-counters,pc-table',
    '-c',
    ...runner.map((path) => join(root, path)),
  ]);
  const host = ['runner_front.c', 'runner_conversation.c', 'frame_mutator.c', 'json_oracle.c'];
  clang([
    ...sanitizerLinkFlags,
    ...host.map((name) => join(root, 'native/fuzz', name)),
    ...runner.map((path) => path.replace(/^.*\/(.*)\.c$/, '$1.o')),
    ...builtEngineObjects().map((path) => join(root, path)),
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
