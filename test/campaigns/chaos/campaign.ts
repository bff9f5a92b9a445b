/** Kills at random moments, one after the other: what each did, how long until the pool answered again, and what was left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cgroupsOf } from '../../support/leak-check.js';
import { eventually, startTimeOf } from '../../support/processes.js';
import { ChaosHost } from './host.js';
import { randomNumbers } from './random.js';
import { ROLES, type Role, victim } from './victims.js';

export interface ChaosOptions {
  poolBackend: 'namespaces' | 'seccomp';
  commandBackends: readonly string[];
  kills: number;
  seed: number;
}

export interface Kill {
  role: Role;
  /** Of a host: until nothing of it was left. Of anything else: until the pool answered again. */
  ms: number;
  attempts: number;
}

export interface Campaign {
  kills: Kill[];
  /** Everything that should not have been: what was left, and where nothing answered. */
  defects: string[];
}

/** Longest pause before a kill, ms. */
const MOST_PAUSE_MS = 150;
/** How long what was killed may still be seen, ms. */
const GONE_MS = 20_000;
/** Of ten kills. A host's takes with it what the others would have had to be waited for. */
const WEIGHTS: Readonly<Record<Role, number>> = {
  host: 2,
  launcher: 3,
  runner: 3,
  'launcher of a command': 2,
};
const WEIGHTED_ROLES = ROLES.flatMap((role) => Array<Role>(WEIGHTS[role]).fill(role));

export async function runChaos(options: ChaosOptions): Promise<Campaign> {
  const random = randomNumbers(options.seed);
  const campaign: Campaign = { kills: [], defects: [] };
  const start = () => ChaosHost.start(options.poolBackend, options.commandBackends);
  const killedHosts: number[] = [];
  let host = await start();
  while (campaign.kills.length < options.kills) {
    const role = WEIGHTED_ROLES[Math.floor(random() * WEIGHTED_ROLES.length)] ?? 'host';
    await sleep(random() * MOST_PAUSE_MS);
    const where = `kill ${campaign.kills.length + 1} (${role}, seed ${options.seed})`;
    if (role === 'host') {
      killedHosts.push(host.pid);
      const { left, goneMs } = await host.kill();
      campaign.kills.push({ role, ms: goneMs, attempts: 0 });
      campaign.defects.push(...left.map((each) => `${where}: left: ${each}`));
      host = await start();
      continue;
    }
    const pid = victim(role, host.pid, random);
    const startedAt = pid === undefined ? undefined : startTimeOf(pid);
    if (pid === undefined || startedAt === undefined || !kill(pid)) continue;
    const { ok, ms, attempts } = await host.answer();
    campaign.kills.push({ role, ms, attempts });
    if (!ok) campaign.defects.push(`${where}: the pool did not answer any more`);
    if (!(await eventually(() => startTimeOf(pid) !== startedAt, GONE_MS)))
      campaign.defects.push(`${where}: process ${pid} is still there`);
  }
  // It has tried the machine's cgroups, and removed what hosts before it left.
  campaign.defects.push(...killedHosts.flatMap(cgroupsOf).map((path) => `of a killed host: cgroup ${path}`));
  campaign.defects.push(...(await host.close()).map((each) => `after a host that was closed: ${each}`));
  return campaign;
}

/** False if it was gone by then. */
function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
