/**
 * `wardenpool doctor`: what this machine can do, why not, and what would change it. It tries for real, and changes nothing.
 */
import { type BackendReport, type MachineFacts, machineFacts, probeBackends } from '../executor/index.js';

/** Host descriptors that one sandbox holds: its bridge, its diagnostics, its pidfd. */
const DESCRIPTORS_PER_SANDBOX = 3;

function atMost(count: number | null): string {
  return count === null ? 'no limit' : count.toLocaleString('en-US');
}

function describeMachine(machine: MachineFacts): string[] {
  const { limits } = machine;
  const sandboxes = limits.openFiles === null ? null : Math.floor(limits.openFiles / DESCRIPTORS_PER_SANDBOX);
  return [
    `machine      ${machine.platform} ${machine.kernel}, ${machine.arch}, ${machine.libc}, Node ${machine.node}`,
    `user         ${machine.root ? 'root: sandboxes run as uid 65534' : 'an ordinary user: sandboxes run as the same uid'}`,
    `open files   ${atMost(limits.openFiles)}: enough for about ${atMost(sandboxes)} sandboxes at once`,
    `processes    ${atMost(limits.processes)} by RLIMIT_NPROC, ${atMost(limits.cgroupPids)} by cgroup`,
    `namespaces   ${atMost(limits.userNamespaces)} user, ${atMost(limits.pidNamespaces)} PID`,
  ];
}

function describeBackend(report: BackendReport): string[] {
  const { available, missing } = report.codeMode;
  if (!available) {
    return [
      `backend      ${report.backend}: cannot run Code Mode here`,
      ...missing.flatMap(({ capability, reason, remedy }) => [
        `  missing    ${capability}: ${reason}`,
        `  remedy     ${remedy}`,
      ]),
    ];
  }
  const { isolation } = report;
  const lines = [
    `backend      ${report.backend}: ready, a launcher and its first sandbox in ${report.startMs?.toFixed(0)} ms`,
  ];
  if (isolation !== undefined) {
    const kinds = Object.entries(isolation.namespaces).map(([name, kind]) => `${name} ${kind}`);
    lines.push(
      `  namespaces ${kinds.join(', ')}`,
      `  layers     seccomp allow-list, no_new_privs, no capabilities, ${isolation.landlock === null ? 'no Landlock in this kernel' : `Landlock ABI ${isolation.landlock.abi}`}`,
      `  identity   uid ${isolation.userId}, gid ${isolation.groupId}${isolation.supplementaryGroups.length > 0 ? `, groups ${isolation.supplementaryGroups.join(' ')}` : ''}`,
    );
  }
  return lines;
}

/** Prints the report to stdout. Returns the exit code: 1 if no backend can run Code Mode. */
export async function doctor(options: { json: boolean }): Promise<number> {
  const machine = machineFacts();
  const backends = await probeBackends();
  const usable = backends.find(({ codeMode }) => codeMode.available);
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ machine, backends, backend: usable?.backend ?? null }, null, 2)}\n`,
    );
  } else {
    const verdict =
      usable === undefined
        ? 'No backend can run Code Mode on this machine. Nothing will run unconfined.'
        : `Code Mode runs here, on the ${usable.backend} backend.`;
    process.stdout.write(
      `${[...describeMachine(machine), ...backends.flatMap(describeBackend), '', verdict].join('\n')}\n`,
    );
  }
  return usable === undefined ? 1 : 0;
}
