/** Commands as the tests of backends start them, and what tests do with a machine around them. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IsolatedExecution, IsolatedOptions, IsolatedResult, Policy } from 'wardenpool/executor';
import { SandboxUnavailable, SpawnFailed, spawnIsolated } from 'wardenpool/executor';
import { eventually } from '../../support/processes.js';

export interface Ran extends IsolatedResult {
  stderr: string;
}

/** Runs a command to its end, and keeps what it said. */
export async function run(command: readonly string[], options: IsolatedOptions): Promise<Ran> {
  const execution = spawnIsolated(command, options);
  execution.protocol.resume();
  let stderr = '';
  execution.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { ...(await execution.wait()), stderr };
}

/** What stood in the way: `capability: reason` of each. */
export async function missingFor(command: readonly string[], options: IsolatedOptions): Promise<string[]> {
  try {
    await run(command, options);
  } catch (error) {
    if (error instanceof SandboxUnavailable)
      return error.missing.map(({ backend, capability, reason }) => `${backend}: ${capability}: ${reason}`);
    throw error;
  }
  return [];
}

export async function spawnFailureOf(
  command: readonly string[],
  options: IsolatedOptions,
): Promise<SpawnFailed> {
  try {
    const { returncode, stderr } = await run(command, options);
    return assert.fail(`it ran, and ended with ${returncode}: ${stderr}`);
  } catch (error) {
    if (error instanceof SpawnFailed) return error;
    throw error;
  }
}

type Rule = Policy['filesystem']['rules'][number];

/** The minimal runtime, a private temp, and these rules. */
export function policyWith(rules: readonly Rule[], others: Partial<Policy> = {}): Policy {
  return {
    formatVersion: 3,
    filesystem: {
      default: 'deny',
      rules: [
        { access: 'read', path: { special: 'minimal-runtime' } },
        { access: 'write', path: { root: 'temp' } },
        ...rules,
      ],
    },
    network: { mode: 'none' },
    root: { mode: 'read-only' },
    process: { treeConfinement: 'required' },
    ...others,
  };
}

/** Everything is allowed: the only kind of policy that the posix backend runs. */
export const UNCONFINED: Policy = {
  formatVersion: 3,
  filesystem: { default: 'deny', rules: [{ access: 'write', path: { absolute: '/' } }] },
  network: { mode: 'direct' },
  root: { mode: 'read-only' },
  process: { treeConfinement: 'disabled' },
};

const directories: string[] = [];

/** A directory that every user may use, until `removeDirectories()`. */
export function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'wardenpool-test-'));
  chmodSync(path, 0o777);
  directories.push(path);
  return path;
}

export function removeDirectories(): void {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
}

/** A program of this name in a directory of its own, which is returned. */
export function programNamed(name: string, script: string): string {
  const path = directory();
  writeFileSync(join(path, name), script, { mode: 0o755 });
  return path;
}

/** Does something with another PATH. */
export async function withPath<T>(path: string, act: () => Promise<T>): Promise<T> {
  const before = process.env['PATH'];
  process.env['PATH'] = path;
  try {
    return await act();
  } finally {
    process.env['PATH'] = before;
  }
}

/** The PID of a command that has said something: it may say so before its launcher does. */
export async function pidOf(execution: IsolatedExecution): Promise<number> {
  await eventually(() => execution.pid !== undefined, 5_000);
  return execution.pid ?? assert.fail('the command has no PID');
}
