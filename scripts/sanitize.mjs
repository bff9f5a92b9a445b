// Builds the stand-alone runner with the address and undefined-behaviour sanitizers and runs the runner's tests against
// it.
//   node scripts/sanitize.mjs [MOCHA OPTIONS]
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './lib/commands.mjs';
import { ExplainedError, root, runScript, timed } from './lib/project.mjs';
import { compilers } from './lib/requirements.mjs';
import {
  builtEngineObjects,
  runnerSources,
  sanitizerFlags,
  sanitizerLinkFlags,
} from './lib/sanitized-runner.mjs';

const compileTimeoutMs = 5 * 60_000;
const testTimeoutMs = 20 * 60_000;

const outputFolder = join(root, 'build/sanitized');
const runner = join(outputFolder, 'code-runner');
const environment = {
  WARDENPOOL_CODE_RUNNER: runner,
  // The runner has a handler of its own for faults, on a stack of its own. It ends without freeing, by design.
  ASAN_OPTIONS: 'detect_leaks=0:use_sigaltstack=0:abort_on_error=1',
  UBSAN_OPTIONS: 'print_stacktrace=1',
};

function buildRunner() {
  const engineObjects = builtEngineObjects();
  const [program = 'cc', ...first] = compilers.c;
  mkdirSync(outputFolder, { recursive: true });
  timed('building the runner with sanitizers', () =>
    run(
      program,
      [
        ...first,
        ...sanitizerFlags,
        ...sanitizerLinkFlags,
        ...runnerSources(),
        ...engineObjects,
        '-lm',
        '-o',
        runner,
      ],
      {
        timeoutMs: compileTimeoutMs,
        showErrors: true,
      },
    ),
  );
}

function runTests() {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, ...process.argv.slice(2), 'test/native/runner/**/*.test.ts'];
  const { error, status, signal } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: testTimeoutMs,
    killSignal: 'SIGKILL',
  });
  if (error) throw new ExplainedError(`the tests could not be run to their end: ${error.message}`);
  if (status !== 0) {
    throw new ExplainedError(`the tests failed under sanitizers (${signal ?? `exit status ${status}`})`);
  }
}

runScript(() => {
  buildRunner();
  runTests();
});
