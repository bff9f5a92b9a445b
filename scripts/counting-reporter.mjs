// Mocha's spec reporter, which in addition appends "<passes> <failures>" to the file that WARDENPOOL_TEST_COUNTS names, and
// what failed and why to the one of WARDENPOOL_TEST_FAILURES. A run that breaks off appends no counts: who reads the file can tell.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import mocha from 'mocha';

/** Of one failure's message and stack: enough to know where and why, and many still fit on a page. */
const longestReason = 2000;

/**
 * @param {import('mocha').Test | import('mocha').Hook} test
 * @param {any} reason  what it threw
 */
function described(test, reason) {
  const where = test.file ? ` (${relative(process.cwd(), test.file)})` : '';
  const why = String(reason?.stack ?? reason?.message ?? reason).slice(0, longestReason);
  return `${test.fullTitle()}${where}\n${why.replace(/^/gm, '    ')}\n`;
}

export default class CountingReporter extends mocha.reporters.Spec {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const counts = process.env['WARDENPOOL_TEST_COUNTS'];
    if (counts)
      runner.once('end', () => {
        appendFileSync(counts, `${runner.stats?.passes ?? 0} ${runner.stats?.failures ?? 0}\n`);
      });
    const failures = process.env['WARDENPOOL_TEST_FAILURES'];
    if (failures) runner.on('fail', (test, reason) => appendFileSync(failures, described(test, reason)));
  }
}
