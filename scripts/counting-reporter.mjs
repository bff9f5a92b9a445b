// Mocha's spec reporter, which in addition appends "<passes> <failures>" to the file that WARDENPOOL_TEST_COUNTS names.
// A run that breaks off appends nothing: who reads the file can tell.
import { appendFileSync } from 'node:fs';
import mocha from 'mocha';

export default class CountingReporter extends mocha.reporters.Spec {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const file = process.env['WARDENPOOL_TEST_COUNTS'];
    if (!file) return;
    runner.once('end', () => {
      appendFileSync(file, `${runner.stats?.passes ?? 0} ${runner.stats?.failures ?? 0}\n`);
    });
  }
}
