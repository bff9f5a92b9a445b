// Builds runner, launcher and addon with sanitizers, each kind in a checkout of its own inside build, and runs tests there.
//   node scripts/sanitize.mjs [--variant NAME] [--all [--suite NAME]] [MOCHA OPTIONS]
// `--variant undefined` or `address`: only that one. `--all`: every suite that can be run against it, one after the other, some
// half an hour on a machine that has nothing else to do; `--suite pool`: only that one of them.
import { runMocha } from './lib/mocha.mjs';
import { ExplainedError, runScript } from './lib/project.mjs';
import { checkoutOf, makeSanitizedCheckout } from './lib/sanitized-checkout.mjs';
import { plans } from './lib/sanitized-plans.mjs';
import { shippedFiles } from './lib/shipped-files.mjs';

/** @typedef {import('./lib/sanitized-variants.mjs').SanitizedVariant} SanitizedVariant */
/** @typedef {import('./lib/sanitized-plans.mjs').Plan} Plan */

const suiteTimeoutMs = 60 * 60_000;

/** A sanitized build is slower, and so is a busy machine. */
const oneTestTimeoutMs = 180_000;

const options = ['--variant', '--suite'];

function readArguments() {
  const rest = process.argv.slice(2);
  /** @param {string} option */
  const valueAfter = (option) => (rest.includes(option) ? rest[rest.indexOf(option) + 1] : undefined);
  const variant = valueAfter('--variant');
  const suite = valueAfter('--suite');
  const chosen = plans.filter((plan) => variant === undefined || plan.variant.name === variant);
  const names = plans.map((plan) => plan.variant.name).join(' and ');
  if (chosen.length === 0) throw new ExplainedError(`there is no variant '${variant}'; there are ${names}`);
  if (suite !== undefined && !chosen.some(({ all }) => all.includes(suite))) {
    const suites = [...new Set(chosen.flatMap(({ all }) => all))].join(', ');
    throw new ExplainedError(`there is no suite '${suite}'; there are ${suites}`);
  }
  const forMocha = rest.filter(
    (text, at) => text !== '--all' && !options.includes(text) && !options.includes(rest[at - 1] ?? ''),
  );
  return { isAll: rest.includes('--all') || suite !== undefined, suite, chosen, forMocha };
}

/**
 * What mocha is to leave out: it matches the titles of all that is around a test, and its own.
 * @param {Plan} plan
 */
function leftOut({ exceptions }) {
  const titles = exceptions.map(({ test }) => test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return titles.length > 0 ? ['--grep', titles.join('|'), '--invert'] : [];
}

/**
 * @param {Plan} plan
 * @param {string} title
 * @param {string[]} args  of mocha
 */
function runTests(plan, title, args) {
  const { variant } = plan;
  const name = `${variant.name}, ${title}`;
  const isPassed = runMocha({
    title: name,
    args: ['--timeout', String(oneTestTimeoutMs), ...leftOut(plan), ...args],
    timeoutMs: suiteTimeoutMs,
    folder: checkoutOf(variant),
    environment: { WARDENPOOL_SANITIZER_LABEL: variant.label },
  });
  return isPassed ? [] : [name];
}

runScript(() => {
  const { isAll, suite, chosen, forMocha } = readArguments();
  const failed = chosen.flatMap((plan) => {
    makeSanitizedCheckout(plan.variant, isAll ? undefined : shippedFiles);
    if (!isAll) return runTests(plan, 'some tests', [...forMocha, ...plan.always]);
    return plan.all
      .filter((name) => suite === undefined || name === suite)
      .flatMap((name) => runTests(plan, name, [...forMocha, `test/${name}/**/*.test.ts`]));
  });
  if (failed.length > 0) throw new ExplainedError(`tests failed under sanitizers: ${failed.join('; ')}`);
});
