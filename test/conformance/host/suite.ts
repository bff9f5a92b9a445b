/** Judges what a host says and what it has sent, case by case. */
import assert from 'node:assert/strict';
import { type Case, titleOf } from '../report/cases.js';
import { isMembers, type Members } from '../wire/frames.js';
import { parseStrictJson } from '../wire/strict-json.js';
import { hostCases as allCases } from './all-cases.mjs';
import type { Expected, HostCase } from './case.mjs';
import type { Host } from './host.js';
import { type HostRun, runHost } from './host-run.js';
import { requireGoodFrames } from './sent-frames.js';

function verdictOf(stdout: string): Members {
  const lines = stdout.split('\n');
  assert.ok(lines.length === 2 && lines[1] === '', 'the host does not print exactly one line');
  const verdict = parseStrictJson(lines[0] ?? '');
  assert.ok(isMembers(verdict), 'the host does not print an object');
  assert.equal(typeof verdict['ok'], 'boolean', 'ok is no boolean');
  return verdict;
}

function requireVerdict(verdict: Members, expected: Expected): void {
  assert.equal(verdict['ok'], expected.ok, `the host says ${JSON.stringify(verdict).slice(0, 300)}`);
  if (expected.ok) {
    assert.deepEqual(verdict['value'], expected.value);
    return;
  }
  assert.equal(typeof verdict['kind'], 'string', 'kind is no string');
  assert.equal(typeof verdict['message'], 'string', 'message is no string');
  if (expected.kind !== undefined) assert.equal(verdict['kind'], expected.kind);
  if (expected.message !== undefined) assert.equal(verdict['message'], expected.message);
}

function describe({ stdout, diagnostics, heard }: HostRun): string {
  const sent = heard.subarray(0, 1000).toString();
  return `${diagnostics}\nstdout: ${stdout.slice(0, 500)}\nsent: ${sent}`;
}

async function check(host: Host, each: HostCase, signal: AbortSignal): Promise<void> {
  const run = await runHost(host, titleOf(each), each, signal);
  try {
    requireVerdict(verdictOf(run.stdout), each.expected);
    requireGoodFrames(run.heard, each.program);
    assert.ok(!run.leftBehind, 'the runner was left behind by the host');
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${describe(run)}`);
  }
}

/** All cases for hosts, in the order of the contract. */
export function hostCases(host: Host): Case[] {
  return allCases.map((each) => ({
    section: each.section,
    name: each.name,
    needs: [],
    check: (signal) => check(host, each, signal),
  }));
}
