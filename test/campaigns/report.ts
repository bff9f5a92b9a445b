/** Where the figures of a campaign go, beside the table that it prints. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('../../build/campaigns/', import.meta.url));

/** Writes `build/campaigns/NAME.json`, with when and on what it was. */
export function writeReport(name: string, figures: object): void {
  mkdirSync(RESULTS, { recursive: true });
  const path = `${RESULTS}${name}.json`;
  const report = { at: new Date().toISOString(), kernel: release(), node: process.version, ...figures };
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`written to ${path}`);
}
