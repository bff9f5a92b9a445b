/**
 * All backends, as the report has them: those of Code Mode are tried with a launcher and a sandbox of it. Must not know what
 * a report is for.
 */
import type { Backend, BackendReport } from './backend.js';
import type { BackendCapability } from './capabilities.js';
import { CODE_MODE_BACKENDS, type CodeModeBackend, type Isolation } from './code-mode.js';
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

function noCommands(backend: BackendName, reason: string): BackendReport['commands'] {
  const remedy = 'nothing on this machine would change it';
  return { available: false, missing: [{ capability: 'commands', reason, remedy, backend }] };
}

function codeModeBackend(backend: CodeModeBackend): Backend {
  const { name, offers } = backend;
  return {
    name,
    async probe() {
      const { missing, ...found } = await tryCodeMode(backend, 'default');
      const available = missing.length === 0;
      const capabilities: BackendReport['capabilities'] = {};
      for (const capability of offers) capabilities[capability] = available;
      const strict: BackendCapability = 'private-namespaces';
      if (available && offers.includes(strict)) {
        const { missing: lacks } = await tryCodeMode(backend, 'strict');
        capabilities[strict] = lacks.length === 0;
      }
      return {
        backend: name,
        codeMode: { available, missing },
        commands: noCommands(
          name,
          name === 'seccomp'
            ? 'its filter is for wardenpool’s own runner: no other program could run under it'
            : 'this version runs no commands',
        ),
        capabilities,
        ...found,
      };
    },
  };
}

/** One that this version has by name only. */
function namedOnly(name: BackendName, codeModeReason: string, commandsReason: string): Backend {
  const missing = [
    { capability: 'lifecycle', reason: codeModeReason, remedy: 'use namespaces or seccomp', backend: name },
  ];
  return {
    name,
    async probe() {
      return {
        backend: name,
        codeMode: { available: false, missing },
        commands: noCommands(name, commandsReason),
        capabilities: {},
      };
    },
  };
}

/** In the order of `auto`. */
export const BACKENDS: readonly Backend[] = [
  ...CODE_MODE_BACKENDS.map(codeModeBackend),
  namedOnly(
    'bubblewrap',
    'this version has no pools on bubblewrap',
    'this version runs no commands on bubblewrap',
  ),
  namedOnly(
    'seatbelt',
    'this version has no pools on seatbelt',
    'it is for macOS, and this version runs no commands on it',
  ),
  namedOnly(
    'posix',
    'it confines nothing, and a pool needs confinement',
    'this version runs no commands on posix',
  ),
];
