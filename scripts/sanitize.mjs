// Builds runner, launcher and addon with sanitizers, each kind in a checkout of its own inside build, and runs tests there.
//   node scripts/sanitize.mjs [--variant NAME] [--all] [MOCHA OPTIONS]
// `--variant undefined` or `address`: only that one. `--all`: every suite that can be run against it, some half an hour.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ExplainedError, root, runScript } from './lib/project.mjs';
import { checkoutOf, makeSanitizedCheckout } from './lib/sanitized-checkout.mjs';
import { address, undefinedBehaviour } from './lib/sanitized-variants.mjs';

/** @typedef {import('./lib/sanitized-checkout.mjs').SanitizedVariant} SanitizedVariant */

const testTimeoutMs = 60 * 60_000;

/** A sanitized build is slower, and so is a busy machine. */
const oneTestTimeoutMs = 180_000;

const suites = ['bridge', 'e2e', 'executor', 'native/runner', 'pool'].map(
  (name) => `test/${name}/**/*.test.ts`,
);

/**
 * What is run against each: always, and with --all. Of the address sanitizer that is what needs no launcher.
 * @type {{ variant: SanitizedVariant, always: string[], all: string[] }[]}
 */
const plans = [
  {
    variant: address,
    always: ['test/native/runner/**/*.test.ts'],
    all: ['test/native/runner/**/*.test.ts', 'test/bridge/**/*.test.ts'],
  },
  {
    variant: undefinedBehaviour,
    always: ['test/executor/executor.test.ts', 'test/executor/command/lifecycle.test.ts'],
    all: [...suites, 'test/isolation/**/*.test.ts', 'test/conformance/**/*.test.ts'],
  },
];

function readArguments() {
  const rest = process.argv.slice(2);
  const isAll = rest.includes('--all');
  const at = rest.indexOf('--variant');
  const wanted = at < 0 ? undefined : rest[at + 1];
  const chosen = plans.filter(({ variant }) => at < 0 || variant.name === wanted);
  if (chosen.length === 0) {
    throw new ExplainedError(
      `there is no variant '${wanted}'; there are ${plans.map(({ variant }) => variant.name).join(' and ')}`,
    );
  }
  const forMocha = rest.filter((text, i) => text !== '--all' && !(at >= 0 && (i === at || i === at + 1)));
  return { isAll, chosen, forMocha };
}

/**
 * @param {SanitizedVariant} variant
 * @param {string[]} args  of mocha
 */
function runTests(variant, args) {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const { error, status, signal } = spawnSync(
    process.execPath,
    [mocha, '--timeout', String(oneTestTimeoutMs), ...args],
    {
      cwd: checkoutOf(variant),
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: testTimeoutMs,
      killSignal: 'SIGKILL',
    },
  );
  if (error) throw new ExplainedError(`the tests could not be run to their end: ${error.message}`);
  return status === 0 ? undefined : `${variant.name} (${signal ?? `exit status ${status}`})`;
}

runScript(() => {
  const { isAll, chosen, forMocha } = readArguments();
  const failed = chosen.flatMap(({ variant, always, all }) => {
    makeSanitizedCheckout(variant);
    return runTests(variant, [...forMocha, ...(isAll ? all : always)]) ?? [];
  });
  if (failed.length > 0) throw new ExplainedError(`tests failed under sanitizers: ${failed.join(', ')}`);
});
