// Fuzzes what runner and launcher read of their host with the targets of native/fuzz, one after the other.
//   node scripts/fuzz.mjs [--seconds N] [--target NAME]   a campaign of N seconds (60), shared by the targets
//   node scripts/fuzz.mjs --smoke                          a fixed number of inputs from a fixed seed
//   node scripts/fuzz.mjs --target NAME FILE…              the named inputs only, to look into a finding
// What a campaign has learned is kept in build/fuzz/corpus; a finding is written to build/fuzz/findings.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFuzzTargets, fuzzFolder, fuzzTargets, programOf } from './lib/fuzz-targets.mjs';
import { ExplainedError, root, runScript, timed } from './lib/project.mjs';
import { fuzzRequirements } from './lib/requirements.mjs';
import { installMissing } from './lib/system-packages.mjs';

/** @typedef {import('./lib/fuzz-targets.mjs').FuzzTarget} FuzzTarget */

const smokeSeed = 1;
const defaultSeconds = 60;
const smokeTimeoutMs = 5 * 60_000;

const environment = {
  // The runner handles faults itself, on a stack of its own, and ends without freeing, by design. A child of the target
  // has no descriptors left by which it could ask another program for the names of functions: addr2line knows them.
  ASAN_OPTIONS: 'detect_leaks=0:use_sigaltstack=0:abort_on_error=1:symbolize=0',
  UBSAN_OPTIONS: 'print_stacktrace=1:symbolize=0',
};

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: String(defaultSeconds) },
      target: { type: 'string' },
      smoke: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1) {
    throw new ExplainedError(`--seconds takes a whole number from 1 up, not '${values.seconds}'`);
  }
  const targets = fuzzTargets.filter(({ name }) => values.target === undefined || name === values.target);
  if (targets.length === 0) {
    const names = fuzzTargets.map(({ name }) => name).join(', ');
    throw new ExplainedError(`there is no target '${values.target}'; there are ${names}`);
  }
  if (positionals.length > 0 && targets.length !== 1) {
    throw new ExplainedError('inputs belong to one target; name it with --target');
  }
  return { seconds, smoke: values.smoke, targets, inputs: positionals };
}

function requireTools() {
  const absent = () => fuzzRequirements.filter(({ isPresent }) => !isPresent());
  const missing = absent();
  if (missing.length > 0) installMissing(missing);
  const remaining = absent();
  if (remaining.length > 0) {
    const items = remaining.map(({ what }) => what).join('; ');
    throw new ExplainedError(`the packages were installed, and still this machine lacks: ${items}`);
  }
}

/**
 * @param {FuzzTarget} target
 * @param {readonly string[]} args  of libFuzzer
 * @param {number} timeoutMs
 */
function start(target, args, timeoutMs) {
  const findings = join(fuzzFolder, 'findings');
  mkdirSync(join(root, findings), { recursive: true });
  const { error, status, signal } = spawnSync(
    join(root, programOf(target)),
    [
      ...target.options,
      `-artifact_prefix=${findings}/${target.name}-`,
      '-print_funcs=0',
      '-print_final_stats=1',
      ...args,
    ],
    {
      cwd: root,
      env: { ...process.env, ...environment },
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: timeoutMs,
    },
  );
  if (error) throw new ExplainedError(`${target.name} did not come to its end: ${error.message}`);
  if (status !== 0) {
    throw new ExplainedError(
      `${target.name} has a finding (${signal ?? `exit status ${status}`}), said above; its input is in ${findings}`,
    );
  }
}

const corpusOf = (/** @type {FuzzTarget} */ { name }) => join('native/fuzz/corpus', name);

/** @param {FuzzTarget} target */
const common = ({ name }) => [`-dict=native/fuzz/${name}.dict`];

/** @param {FuzzTarget} target */
function smoke(target) {
  // What a run learns goes to a folder that is thrown away, or the next one would not be the same.
  const learned = mkdtempSync(join(tmpdir(), 'wardenpool-fuzz-'));
  try {
    const args = [`-runs=${target.smokeRuns}`, `-seed=${smokeSeed}`, '-verbosity=0'];
    start(target, [...common(target), ...args, learned, corpusOf(target)], smokeTimeoutMs);
  } finally {
    rmSync(learned, { recursive: true, force: true });
  }
}

/**
 * @param {FuzzTarget} target
 * @param {number} seconds
 */
function campaign(target, seconds) {
  const learned = join(fuzzFolder, 'corpus', target.name);
  mkdirSync(join(root, learned), { recursive: true });
  const args = [`-max_total_time=${seconds}`, '-timeout=60'];
  start(target, [...common(target), ...args, learned, corpusOf(target)], (seconds + 120) * 1000);
}

runScript(() => {
  const { seconds, smoke: isSmoke, targets, inputs } = readArguments();
  requireTools();
  buildFuzzTargets();
  for (const target of targets) {
    if (inputs.length > 0) start(target, inputs, smokeTimeoutMs);
    else if (isSmoke) timed(`trying ${target.name}`, () => smoke(target));
    else campaign(target, Math.max(1, Math.floor(seconds / targets.length)));
  }
});
