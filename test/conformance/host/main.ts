/** npm run conformance:host -- COMMAND [its arguments…] [--grep TEXT] [--json] [--repeat N] */
import { main } from '../report/main.js';
import { hostCommand } from './host.js';
import { hostCases } from './suite.js';

await main(
  'Usage: npm run conformance:host -- COMMAND [ARGUMENT]... [--grep TEXT] [--repeat N] [--json]',
  async (host) => ({ cases: hostCases(hostCommand(host.command, host.arguments)) }),
);
