/** What a backend is to those who choose one, and what is known of it on this machine. Must not know any backend. */
import type { BackendCapability } from './capabilities.js';
import type { MissingCapability } from './errors.js';
import type { BackendName, Receipt } from './receipt.js';

/** Whether something can be had of a backend on this machine. `missing` is empty just if it is available. */
export interface Availability {
  available: boolean;
  missing: MissingCapability[];
}

/** What one backend can do on this machine, found by doing it. */
export interface BackendReport {
  backend: BackendName;
  /** Programs of a pool. */
  codeMode: Availability;
  /** Any command. */
  commands: Availability;
  /** true: it has it here; false: it would, but this machine does not let it; absent: it never has. */
  capabilities: { [name in BackendCapability]?: boolean };
  /** How long a launcher and a first sandbox took to be there, milliseconds; where Code Mode is available. */
  startMs?: number;
  /** What is in force in a sandbox of Code Mode, where that is available. */
  isolation?: Receipt['isolation'];
}

export interface Backend {
  readonly name: BackendName;
  /** Tries for real, and leaves nothing. Never rejects: what fails is in the report. */
  probe(): Promise<BackendReport>;
}
