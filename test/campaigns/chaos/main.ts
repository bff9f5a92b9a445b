/**
 * `npm run chaos [-- --smoke | --kills N --seed N]`: SIGKILL to hosts, launchers and sandboxes at random moments, on both backends of a
 * pool and with commands under way. Ends with 1 if anything was left, or if a pool that lived took longer than a second to answer.
 */
import { Command } from 'commander';
import { markdownTable } from '../../../bench/markdown-table.js';
import { quantile } from '../../../bench/measure.js';
import { writeReport } from '../report.js';
import { wholeNumber } from '../whole-number.js';
import { type Kill, runChaos } from './campaign.js';
import { ROLES } from './victims.js';

const options = new Command('npm run chaos --')
  .option('--smoke', 'a short campaign, whose times are not judged: the machine may be busy', false)
  .option('--kills <number>', 'in all', wholeNumber, 500)
  .option('--seed <number>', 'other moments and victims', wholeNumber, 1)
  .option('--within-ms <number>', 'longest time until a pool answers again', wholeNumber, 1_000)
  .parse()
  .opts<{ smoke: boolean; kills: number; seed: number; withinMs: number }>();
const kills = options.smoke ? 30 : options.kills;
const BACKENDS = ['namespaces', 'seccomp'] as const;
const COMMAND_BACKENDS = ['namespaces', 'bubblewrap', 'posix'];

const rows = [['pool', 'killed', 'times', 'p50 ms', 'p90 ms', 'p99 ms', 'most ms']];
const defects: string[] = [];
const results: Record<string, Kill[]> = {};
for (const [index, poolBackend] of BACKENDS.entries()) {
  const share = Math.floor(kills / BACKENDS.length);
  const campaign = await runChaos({
    poolBackend,
    commandBackends: COMMAND_BACKENDS,
    kills: share,
    seed: options.seed + index,
  });
  results[poolBackend] = campaign.kills;
  defects.push(...campaign.defects.map((defect) => `${poolBackend}: ${defect}`));
  for (const role of ROLES) {
    const times = campaign.kills.filter((kill) => kill.role === role).map(({ ms }) => ms);
    times.sort((a, b) => a - b);
    const figures = [0.5, 0.9, 0.99, 1].map((share) =>
      times.length === 0 ? '–' : quantile(times, share).toFixed(0),
    );
    rows.push([poolBackend, role, String(times.length), ...figures]);
    const most = times.at(-1) ?? 0;
    if (role !== 'host' && !options.smoke && most > options.withinMs)
      defects.push(`${poolBackend}: after the end of a ${role}, it took ${most.toFixed(0)} ms to answer`);
  }
}

console.log(markdownTable(rows));
console.log('Of a host: until nothing of it was left. Of others: until a new run had succeeded.');
writeReport('chaos', { seed: options.seed, results, defects });
for (const defect of defects) console.error(defect);
if (defects.length > 0) process.exitCode = 1;
