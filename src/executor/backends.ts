/**
 * All backends, as the report has them: each is tried with a launcher and a sandbox of it, and with a command, where it has those.
 * Must not know what a report is for.
 */
import type { Availability, Backend, BackendReport } from './backend.js';
import type { BackendCapability } from './capabilities.js';
import { CODE_MODE_BACKENDS, type CodeModeBackend, type Isolation } from './code-mode.js';
import { probeForCommands } from './command/backends.js';
import { type MissingCapability, SandboxUnavailable } from './errors.js';
import { Executor } from './executor.js';
import type { BackendName } from './receipt.js';

const PROBE_CEILINGS = {
  memoryBytes: 67_108_864,
  stackBytes: 1_048_576,
  timeoutMs: 60_000,
  cpuMs: 5_000,
  maxToolCalls: 64,
  maxConcurrentToolCalls: 16,
  maxFrameBytes: 1_048_576,
  maxResultBytes: 524_288,
  maxLogBytes: 65_536,
};

interface Trial extends Pick<BackendReport, 'startMs' | 'isolation'> {
  missing: MissingCapability[];
}

/** A launcher and a sandbox that goes through all of its steps, both ended again. */
async function tryCodeMode(backend: CodeModeBackend, isolation: Isolation): Promise<Trial> {
  const startedAt = performance.now();
  try {
    const executor = await Executor.open({
      isolation,
      backend: backend.name,
      warm: { min: 0, max: 0 },
      ceilings: PROBE_CEILINGS,
    });
    const startMs = performance.now() - startedAt;
    const inForce = executor.isolation;
    await executor.close();
    return { missing: [], startMs, ...(inForce && { isolation: inForce }) };
  } catch (error) {
    if (error instanceof SandboxUnavailable) return { missing: error.missing };
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = 'look for limits on processes, descriptors and namespaces';
    return { missing: [{ capability: 'lifecycle', reason, remedy, backend: backend.name }] };
  }
}

/** Why a backend has no pools, for those that never have. */
const NO_CODE_MODE: Partial<Record<BackendName, string>> = {
  bubblewrap: 'this version has no pools on bubblewrap',
  seatbelt: 'this version has no pools on seatbelt',
  posix: 'it confines nothing, and a pool needs confinement',
};

function never(
  backend: BackendName,
  capability: BackendCapability,
  reason: string,
  remedy: string,
): Availability {
  return { available: false, missing: [{ capability, reason, remedy, backend }] };
}

/** Code Mode on a backend that has it: default isolation, and whether it has strict isolation too. */
async function probeCodeMode(
  backend: CodeModeBackend,
): Promise<Trial & { has: Map<BackendCapability, boolean> }> {
  const trial = await tryCodeMode(backend, 'default');
  const available = trial.missing.length === 0;
  const has = new Map(backend.offers.map((capability) => [capability, available]));
  const strict: BackendCapability = 'private-namespaces';
  if (available && has.has(strict)) {
    const { missing } = await tryCodeMode(backend, 'strict');
    has.set(strict, missing.length === 0);
  }
  return { ...trial, has };
}

async function probeBackend(name: BackendName): Promise<BackendReport> {
  const codeMode = CODE_MODE_BACKENDS.find((each) => each.name === name);
  const { missing = [], has = new Map(), ...found } = codeMode ? await probeCodeMode(codeMode) : {};
  const commands = await probeForCommands(name);
  // What a backend has for one of the two, it has.
  for (const capability of commands?.offers ?? [])
    has.set(capability, has.get(capability) === true || commands?.available === true);
  return {
    backend: name,
    codeMode: codeMode
      ? { available: missing.length === 0, missing }
      : never(name, 'lifecycle', NO_CODE_MODE[name] ?? 'it has no pools', 'use namespaces or seccomp'),
    commands: commands
      ? { available: commands.available, missing: commands.missing }
      : never(
          name,
          'commands',
          'its filter is for wardenpool’s own runner: no other program could run under it',
          'use namespaces or bubblewrap',
        ),
    capabilities: Object.fromEntries(has),
    ...found,
  };
}

const NAMES: readonly BackendName[] = ['namespaces', 'seccomp', 'bubblewrap', 'seatbelt', 'posix'];

/** In the order of `auto`. */
export const BACKENDS: readonly Backend[] = NAMES.map((name) => ({ name, probe: () => probeBackend(name) }));
