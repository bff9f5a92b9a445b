/**
 * The plan of a pool's sandboxes, and the members of a receipt that follow from it. The policy behind it is fixed: no file
 * rules, network none, process tree confined, root read-only.
 */
import { createHash } from 'node:crypto';
import { arch, platform, release } from 'node:os';
import { canonicalPolicy } from '../policy/canonical.js';
import { executablePath, type LauncherFacts } from './addon.js';
import type { CodeModeBackend, Isolation, RefusedBackend } from './code-mode.js';
import { fileDigest } from './file-digest.js';
import { filterInForce } from './filter-in-force.js';
import type { Ceilings } from './launcher.js';
import { PACKAGE_VERSION } from './package-version.js';
import type { BackendName, NamespaceKind, NamespaceName, Receipt } from './receipt.js';
import type { ReceiptBase } from './sandbox-receipt.js';

/** The identity of that policy. */
export const POOL_POLICY_DIGEST = canonicalPolicy({
  formatVersion: 3,
  filesystem: { default: 'deny', rules: [] },
  network: { mode: 'none' },
  root: { mode: 'read-only' },
  process: { treeConfinement: 'required' },
}).digest;

/** What of an execution is its own, what one launcher's executions share with nothing in it, and what is the host's. */
function namespaces(kind: ReturnType<CodeModeBackend['namespaces']>): Record<NamespaceName, NamespaceKind> {
  const others = ({ own: 'private', shared: 'shared-null', none: 'host' } as const)[kind];
  return {
    user: others,
    mount: others,
    pid: kind === 'none' ? 'host' : 'private',
    network: others,
    ipc: others,
    uts: others,
    cgroup: others,
  };
}

function whyRefused({ backend, missing }: RefusedBackend): { name: BackendName; reason: string } {
  return {
    name: backend,
    reason: missing.map(({ capability, reason }) => `${capability}: ${reason}`).join('; '),
  };
}

/** Reads the executable once; everything else is known. */
export async function receiptBase(
  backend: CodeModeBackend,
  refused: readonly RefusedBackend[],
  isolation: Isolation,
  ceilings: Ceilings,
  facts: LauncherFacts,
): Promise<ReceiptBase> {
  const executable = executablePath('wardenpool-launcher');
  const confinement: Receipt['isolation'] = {
    namespaces: namespaces(backend.namespaces(isolation)),
    seccomp: filterInForce(facts),
    noNewPrivs: true,
    capabilities: [],
    boundingSet: facts.boundingSet === 0 ? 'empty' : 'host',
    landlock: facts.landlockAbi === 0 ? null : { abi: facts.landlockAbi },
    cgroup: 'none',
    procfs: 'none',
    userId: facts.userId,
    groupId: facts.groupId,
    // A launcher started as root drops them; an ordinary user cannot.
    supplementaryGroups: facts.supplementaryGroups === 0 ? [] : (process.getgroups?.() ?? []),
  };
  const executableDigest = await fileDigest(executable);
  const plan = { backend: backend.name, policy: POOL_POLICY_DIGEST, executableDigest, confinement, ceilings };
  return {
    schema: 'wardenpool.receipt/1',
    versions: { wardenpool: PACKAGE_VERSION, runner: facts.runnerVersion, engine: facts.engineVersion },
    backend: {
      name: backend.name,
      version: PACKAGE_VERSION,
      ...(refused.length > 0 && { refused: refused.map(whyRefused) }),
    },
    platform: { os: platform(), arch: arch(), kernel: release() },
    policyDigest: POOL_POLICY_DIGEST,
    planDigest: createHash('sha256').update(JSON.stringify(plan)).digest('hex'),
    executable: { path: executable, digest: executableDigest },
    isolation: confinement,
    network: { mode: 'none' },
  };
}
