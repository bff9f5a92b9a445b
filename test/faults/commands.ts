/** A command of each backend whose sandbox takes every step that there is, and what came of it when one of them failed. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IsolatedOptions, Policy, Receipt } from 'wardenpool/executor';
import { assertReceipt } from '../support/receipts.js';
import type { FaultyPackage } from './seam.js';

export type CommandBackendName = 'namespaces' | 'bubblewrap' | 'posix';

export interface CommandOutcome {
  /** `refused`: it was not executed; `lost`: nobody knows. */
  kind: 'ran' | 'refused' | 'lost';
  /** The command itself says that it was there. */
  hasRun: boolean;
  message: string;
  receipt: Receipt | undefined;
}

type Rule = Policy['filesystem']['rules'][number];

const inWorkspace = (access: Rule['access'], relative?: string): Rule => ({
  access,
  path: { root: 'workspace', ...(relative !== undefined && { relative }) },
});

/** What is denied is there and hidden, is there and write-protected, or could be made. */
const CONFINED: readonly Rule[] = [
  { access: 'read', path: { special: 'minimal-runtime' } },
  { access: 'write', path: { root: 'temp' } },
  inWorkspace('write'),
  inWorkspace('deny', 'deep/secret'),
  inWorkspace('deny-write', 'locked'),
];

const policies: Record<CommandBackendName, Policy> = {
  namespaces: policy([
    ...CONFINED,
    inWorkspace('deny', 'missing'),
    { access: 'deny', path: { absolute: '/usr/wardenpool-no-such' } },
  ]),
  bubblewrap: policy(CONFINED),
  posix: {
    ...policy([{ access: 'write', path: { absolute: '/' } }]),
    network: { mode: 'direct' },
    process: { treeConfinement: 'disabled' },
  },
};

function policy(rules: readonly Rule[]): Policy {
  return {
    formatVersion: 3,
    filesystem: { default: 'deny', rules: [...rules] },
    network: { mode: 'none' },
    root: { mode: 'read-only' },
    process: { treeConfinement: 'required' },
  };
}

/** A workspace in `directory`. */
export function makeWorkspace(directory: string): string {
  const workspace = join(directory, 'workspace');
  for (const name of ['', 'deep', 'locked']) mkdirSync(join(workspace, name));
  writeFileSync(join(workspace, 'deep/secret'), 'secret');
  chmodSync(workspace, 0o777);
  return workspace;
}

/** Runs it to its end. Never rejects, but for what is no error of the executor. */
export async function attemptCommand(
  { executor }: FaultyPackage,
  backend: CommandBackendName,
  workspace: string,
  others: Partial<IsolatedOptions> = {},
): Promise<CommandOutcome> {
  const mark = join(workspace, 'ran');
  rmSync(mark, { force: true });
  // Its argument is for whoever looks for processes that are left.
  const execution = executor.spawnIsolated(['sh', '-c', 'echo ran > ran', workspace], {
    policy: policies[backend],
    backend,
    workspace,
    ...others,
  });
  execution.protocol.resume();
  execution.stderr.resume();
  try {
    const { receipt, returncode } = await execution.wait();
    const kind = receipt.outcome.kind === 'lost' ? 'lost' : 'ran';
    return { kind, hasRun: existsSync(mark), message: `ended with ${returncode}`, receipt };
  } catch (thrown) {
    const error = thrown as Error & { receipt?: Receipt };
    const isOurs = ['SpawnFailed', 'SandboxUnavailable', 'LauncherLost'].includes(error.name);
    assert.ok(isOurs, `it rejected with ${error.stack}`);
    const kind = error.name === 'LauncherLost' ? 'lost' : 'refused';
    return { kind, hasRun: existsSync(mark), message: error.message, receipt: error.receipt };
  }
}

/** The receipt tells the same as the outcome, and what could not be confined was not run. */
export function assertHonest({ kind, hasRun, message, receipt }: CommandOutcome): void {
  assert.ok(receipt !== undefined, `no receipt: ${message}`);
  assertReceipt(receipt);
  const expected = { ran: ['exited', 'signaled'], refused: ['spawn-failed'], lost: ['lost', 'spawn-failed'] };
  assert.ok(
    expected[kind].includes(receipt.outcome.kind),
    `${kind}, and the receipt has ${receipt.outcome.kind}`,
  );
  assert.equal(receipt.stop.containmentConfirmed, true);
  assert.ok(message.length > 10, message);
  if (kind === 'refused') assert.equal(hasRun, false, `it ran: ${message}`);
}
