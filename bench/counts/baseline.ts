/** The committed counts, and on what they were counted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Counts } from './compare.js';

export interface Baseline extends Counts {
  /** Counts may differ a little between kernels, versions of Node and C compilers. */
  machine: { kernel: string; node: string };
}

const FILE = fileURLToPath(new URL('./baseline.json', import.meta.url));

export function readBaseline(): Baseline {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Baseline;
}

/** Returns where. */
export function writeBaseline(counts: Counts): string {
  const baseline: Baseline = { machine: thisMachine(), ...counts };
  writeFileSync(FILE, `${JSON.stringify(baseline, null, 2)}\n`);
  return FILE;
}

/** In what this machine differs from the baseline's, as a sentence; undefined if in nothing that matters. */
export function differenceOf({ machine }: Baseline): string | undefined {
  const here = thisMachine();
  if (here.kernel === machine.kernel && here.node === machine.node) return undefined;
  return (
    `The baseline is of Linux ${machine.kernel} with Node.js ${machine.node}, and this is Linux ${here.kernel} with ` +
    `Node.js ${here.node}: a difference may come from there.`
  );
}

/** As far as counts depend on it. */
function thisMachine(): Baseline['machine'] {
  return {
    kernel: release().split('.').slice(0, 2).join('.'),
    node: process.versions.node.split('.')[0] ?? '',
  };
}
