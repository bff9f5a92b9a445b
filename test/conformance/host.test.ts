/**
 * Our host, held against the cases of code-bridge-v1: in this process, so that only the scripted runner of each waits for a
 * Node to start. test/bridge/violations.test.ts tries the same session with many more broken frames, without any process;
 * npm run conformance:host -- node test/conformance/hosts/wardenpool.mjs tries every case.
 */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { type Host, hostCommand } from './host/host.js';
import { hostCases } from './host/suite.js';
import { runProgram } from './hosts/session-host.mjs';
import type { Case } from './report/cases.js';
import { registerCases } from './report/mocha.js';
import { schedule } from './report/schedule.js';

const sessionHost: Host = async (runner, program, { stop }) => ({
  stdout: `${await runProgram(runner, program, stop)}\n`,
  diagnostics: '',
});

/** Sections of one broken frame after the other, and which of their cases stand for the rest: each that many. */
const TABLES =
  /^host: (transport|members of (ready|tool\.call|execution\.result)|failures that a runner reports)$/;
const SAMPLE = 4;

function sampled(cases: readonly Case[]): Case[] {
  const seen = new Map<string, number>();
  return cases.filter(({ section }) => {
    const index = seen.get(section) ?? 0;
    seen.set(section, index + 1);
    return !TABLES.test(section) || index % SAMPLE === 0;
  });
}

describe('conformance of our host', () => {
  registerCases(sampled(hostCases(sessionHost)));

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
