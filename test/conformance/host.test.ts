/** Our host, held against every case of code-bridge-v1: in this process, so that no case waits for a Node to start. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { type Host, hostCommand } from './host/host.js';
import { hostCases } from './host/suite.js';
import { runProgram } from './hosts/session-host.mjs';
import { registerCases } from './report/mocha.js';
import { schedule } from './report/schedule.js';

const sessionHost: Host = async (runner, program, { stop }) => ({
  stdout: `${await runProgram(runner, program, stop)}\n`,
  diagnostics: '',
});

describe('conformance of our host', () => {
  registerCases(hostCases(sessionHost));

  it('conforms as a command too', async () => {
    const adapter = fileURLToPath(new URL('./hosts/wardenpool.mjs', import.meta.url));
    const cases = hostCases(hostCommand(process.execPath, [adapter]));
    const chosen = cases.filter(({ name }) => /^stopped|: {}$|ready twice/.test(name));
    const outcomes = await Promise.all(schedule(chosen, { concurrency: 2 }));
    assert.deepEqual(
      outcomes.map(({ status, message }) => message ?? status),
      chosen.map(() => 'passed'),
    );
  });
});
