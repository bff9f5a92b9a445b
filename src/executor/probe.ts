/** What this machine can do, found by doing it. */
import type { BackendReport } from './backend.js';
import { BACKENDS } from './backends.js';

/** Tries each backend, one after the other, in the order of `auto`. Never rejects: what fails is in the report. */
export async function probeBackends(): Promise<BackendReport[]> {
  const reports: BackendReport[] = [];
  for (const backend of BACKENDS) reports.push(await backend.probe());
  return reports;
}
