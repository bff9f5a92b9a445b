/** npm run conformance -- path/to/runner [its arguments…] [--grep TEXT] [--json] [--repeat N] */
import { main } from '../report/main.js';
import { runnerCases } from './all-cases.js';
import { grantedFeatures } from './probe.js';

await main(
  'Usage: npm run conformance -- RUNNER [ARGUMENT]... [--grep TEXT] [--repeat N] [--json]',
  async (subject) => ({ cases: runnerCases(subject), granted: await grantedFeatures(subject) }),
);
