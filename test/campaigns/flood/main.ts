/**
 * `npm run flood [-- --smoke]`: gigabytes of diagnostics and of garbage on descriptor 3, to a pool whose runners are attackers and from
 * commands, read or not. Ends with 1 if the host's memory grew by more than it may.
 */
import { Command } from 'commander';
import { markdownTable } from '../../../bench/markdown-table.js';
import { writeReport } from '../report.js';
import { attackingPackage } from './attacking-package.js';
import { type Flooded, flood, type Order } from './flood.js';

const { smoke } = new Command('npm run flood --')
  .option('--smoke', '64 MB instead of 4 GB each', false)
  .parse()
  .opts<{ smoke: boolean }>();

const BYTES = smoke ? 2 ** 26 : 2 ** 32;
/** As many system calls; a flood of bytes has the rate of those, and not of memory. */
const SINGLE_BYTES = smoke ? 2 ** 20 : 2 ** 24;
const BLOCK = 65_536;
const STALLED_MS = smoke ? 1_000 : 10_000;
/**
 * Not of the amount of the flood: for what is collected as garbage only later (eight violators at once, with a frame of a megabyte each:
 * 145 MB measured with 64 MB), and for what nobody reads, since 16 MiB of diagnostics are kept for whom it may concern.
 */
const MOST_GROWTH_BYTES = 256 * 2 ** 20;

/** A pool kills a sandbox at its first garbage, which has then got rid of a tenth of what it has. */
const VIOLATORS_TIMES = 10;

const ofPool = (backend: 'namespaces' | 'seccomp', descriptor: 2 | 3): Order => ({
  what: 'pool',
  backend,
  descriptor,
  bytes: descriptor === 3 ? BYTES * VIOLATORS_TIMES : BYTES,
});
const ofCommand = (descriptor: 2 | 3, isRead: boolean, bytes = BYTES, atOnce = BLOCK): Order => ({
  what: 'command',
  descriptor,
  bytes,
  atOnce,
  isRead,
  ms: STALLED_MS,
});

const FLOODS: readonly [name: string, order: Order][] = [
  ['pool on namespaces, diagnostics', ofPool('namespaces', 2)],
  ['pool on namespaces, garbage on 3', ofPool('namespaces', 3)],
  ['pool on seccomp, diagnostics', ofPool('seccomp', 2)],
  ['pool on seccomp, garbage on 3', ofPool('seccomp', 3)],
  ['command, diagnostics, read', ofCommand(2, true)],
  ['command, diagnostics, not read', ofCommand(2, false)],
  ['command, diagnostics in single bytes, not read', ofCommand(2, false, SINGLE_BYTES, 1)],
  ['command, descriptor 3, read', ofCommand(3, true)],
  ['command, descriptor 3, not read', ofCommand(3, false)],
];

using attacking = attackingPackage();
const pools = { pool: attacking.entryPoint, command: import.meta.resolve('wardenpool') };
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

const rows = [['flood', 'arrived MB', 's', 'ends', 'before MB', 'most MB', 'growth MB']];
const results: Record<string, Flooded> = {};
const defects: string[] = [];
for (const [name, order] of FLOODS) {
  const flooded = await flood(order, [pools[order.what], import.meta.resolve('wardenpool/executor')]);
  results[name] = flooded;
  const growth = flooded.mostBytes - flooded.beforeBytes;
  const ends = Object.entries(flooded.ends).map(([end, count]) => `${count} × ${end}`);
  rows.push([
    name,
    megabytes(flooded.received),
    flooded.seconds.toFixed(1),
    ends.join(', '),
    megabytes(flooded.beforeBytes),
    megabytes(flooded.mostBytes),
    megabytes(growth),
  ]);
  if (growth > MOST_GROWTH_BYTES) defects.push(`${name}: the host grew by ${megabytes(growth)} MB`);
}
console.log(markdownTable(rows));
writeReport('flood', { bytes: BYTES, results, defects });
for (const defect of defects) console.error(defect);
if (defects.length > 0) process.exitCode = 1;
