/**
 * What this machine can do, found by doing it: the probe starts a real launcher and a real sandbox, and ends both.
 */
import { type MissingCapability, SandboxUnavailable } from './errors.js';
import { Executor } from './executor.js';
import type { BackendName, Receipt } from './receipt.js';

export interface BackendReport {
  backend: BackendName;
  /** Whether it can run Code Mode here. */
  available: boolean;
  missing: MissingCapability[];
  /** How long a launcher and a first sandbox took to be there, ms. */
  startMs?: number;
  /** What would be in force, where it is available. */
  isolation?: Receipt['isolation'];
}

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

/** Tries each backend of this version. Never rejects: what fails is in the report. */
export async function probeBackends(): Promise<BackendReport[]> {
  const startedAt = performance.now();
  try {
    const executor = await Executor.open({
      isolation: 'default',
      backend: 'namespaces',
      warm: { min: 0, max: 0 },
      ceilings: PROBE_CEILINGS,
    });
    const startMs = performance.now() - startedAt;
    const isolation = executor.isolation;
    await executor.close();
    return [
      { backend: 'namespaces', available: true, missing: [], startMs, ...(isolation && { isolation }) },
    ];
  } catch (error) {
    const missing =
      error instanceof SandboxUnavailable
        ? error.missing
        : [
            {
              capability: 'lifecycle',
              reason: (error as Error).message,
              remedy: 'look for limits on processes, descriptors and namespaces',
            },
          ];
    return [{ backend: 'namespaces', available: false, missing }];
  }
}
