/** The doctor's report as text: one fact a line, and a table of what each backend can do. Must not find anything out. */
import type { BackendReport } from '../executor/backend.js';
import { CAPABILITIES } from '../executor/capabilities.js';
import type { CapacityCheck, PoolSize } from '../executor/capacity.js';
import type { MachineFacts } from '../executor/machine.js';

export interface DoctorReport {
  machine: MachineFacts;
  backends: BackendReport[];
  /** The one that a pool would take; null: none. */
  backend: string | null;
  pool: PoolSize;
  capacity: CapacityCheck[];
}

/** Some paragraphs, the last of which is one sentence: the verdict. */
export function describeReport(report: DoctorReport): string {
  const { machine, backends, backend } = report;
  const verdict =
    backend === null
      ? 'No backend can run Code Mode on this machine. Nothing will run unconfined.'
      : `Code Mode runs here, on the ${backend} backend.`;
  const paragraphs = [
    describeMachine(machine, backends),
    capabilityTable(backends),
    backends.flatMap(describeBackend),
    describeCapacity(report),
    [verdict],
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function describeMachine(machine: MachineFacts, backends: BackendReport[]): string[] {
  const { addon, survey, cgroup } = machine;
  const builtWith = 'libc' in addon ? `addon built with ${addon.libc}` : `no addon: ${addon.missing}`;
  const landlock = backends.find(({ isolation }) => isolation !== undefined)?.isolation?.landlock;
  return [
    `machine      ${machine.platform} ${machine.kernel}, ${machine.arch}, Node ${machine.node}, ${machine.libc}, ${builtWith}`,
    `user         ${machine.root ? 'root: sandboxes run as uid 65534' : 'an ordinary user: sandboxes run as the same uid'}`,
    ...(survey === null ? ['kernel       could not be asked'] : describeSurvey(survey, machine)),
    `landlock     ${landlock === undefined ? 'not known' : landlock === null ? 'none' : `ABI ${landlock.abi}`}`,
    `cgroups      ${cgroup.delegated === 'none' ? 'none may be made here' : `${cgroup.delegated}, may be made here: ${cgroup.controllers.join(', ')}`}`,
  ];
}

function describeSurvey(
  { calls, nesting }: NonNullable<MachineFacts['survey']>,
  { userNamespacesRefusedBy }: MachineFacts,
): string[] {
  const wanting = Object.entries(calls).filter(([, verdict]) => verdict !== 'yes');
  const all = `all of the ${Object.keys(calls).length} calls that sandboxes may need are there`;
  const user =
    userNamespacesRefusedBy === null
      ? `user ${nesting.user} deep from here`
      : `user refused, it seems by ${userNamespacesRefusedBy}`;
  return [
    `kernel       ${wanting.length === 0 ? all : wanting.map(([name, verdict]) => `${name} ${verdict}`).join(', ')}`,
    `namespaces   ${user}; PID ${nesting.pid === 0 ? 'refused' : `${nesting.pid} deep from here`}`,
  ];
}

/** The others never have it. */
const HAS_CODE_MODE = new Set<BackendReport['backend']>(['namespaces', 'seccomp']);

/** `–`: it never has that. */
function capabilityTable(backends: BackendReport[]): string[] {
  const cell = (value: boolean | undefined) => (value === undefined ? '–' : value ? 'yes' : 'no');
  const codeMode = ({ backend, codeMode: { available } }: BackendReport) =>
    cell(HAS_CODE_MODE.has(backend) ? available : undefined);
  const rows = [
    ['', ...backends.map(({ backend }) => backend)],
    ['Code Mode', ...backends.map(codeMode)],
    ...Object.keys(CAPABILITIES).map((name) => [
      name,
      ...backends.map(({ capabilities }) => cell(capabilities[name as keyof typeof CAPABILITIES])),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function describeBackend(report: BackendReport): string[] {
  const { backend, codeMode, commands, startMs, isolation, capabilities } = report;
  const name = backend.padEnd(12);
  if (Object.keys(capabilities).length === 0)
    return [`${name} not in use: ${codeMode.missing.map(({ reason }) => reason).join('; ')}`];
  return [
    ...(codeMode.available
      ? [`${name} Code Mode: ready, a launcher and its first sandbox in ${startMs?.toFixed(0)} ms`]
      : [`${name} Code Mode: cannot run here`, ...describeMissing(codeMode)]),
    ...(isolation === undefined ? [] : describeIsolation(isolation)),
    ...(commands.available
      ? [`${name} commands: ready`]
      : [`${name} commands: cannot run here`, ...describeMissing(commands)]),
  ];
}

function describeMissing({ missing }: BackendReport['codeMode']): string[] {
  return missing.flatMap(({ capability, reason, remedy }) => [
    `  missing    ${capability}: ${reason}`,
    `  remedy     ${remedy}`,
  ]);
}

function describeIsolation(isolation: NonNullable<BackendReport['isolation']>): string[] {
  const { namespaces, landlock, boundingSet, userId, groupId, supplementaryGroups } = isolation;
  const kinds = Object.entries(namespaces).map(([name, kind]) => `${name} ${kind}`);
  const groups = supplementaryGroups.length > 0 ? `, groups ${supplementaryGroups.join(' ')}` : '';
  return [
    `  namespaces ${kinds.join(', ')}`,
    `  layers     seccomp allow-list, no_new_privs, no capabilities, ${boundingSet === 'empty' ? 'an empty bounding set' : 'the host’s bounding set'}, ${landlock === null ? 'no Landlock' : `Landlock ABI ${landlock.abi}`}`,
    `  identity   uid ${userId}, gid ${groupId}${groups}`,
  ];
}

function amount(count: number | null, unit: CapacityCheck['unit']): string {
  if (count === null) return 'no limit';
  return unit === 'count'
    ? count.toLocaleString('en-US')
    : `${Math.ceil(count / 1_048_576).toLocaleString('en-US')} MiB`;
}

function describeCapacity({ pool, capacity, machine }: DoctorReport): string[] {
  const { threads, concurrency, warmMax } = pool;
  return [
    `capacity     for ${amount(concurrency, 'count')} runs at once on ${threads} threads, each with up to ${warmMax} sandboxes ready`,
    ...capacity.flatMap(({ resource, unit, limit, needed, enough, remedy }) => {
      const by = unit === 'bytes' && machine.memory !== null ? ` (${machine.memory.by})` : '';
      const line = `  ${enough ? 'enough    ' : 'NOT ENOUGH'} ${resource}: ${amount(needed, unit)} of ${amount(limit, unit)}${by}`;
      return enough ? [line] : [line, `  remedy     ${remedy}`];
    }),
    '  Memory is reckoned with 0.4 MB for each sandbox, as measured elsewhere: see docs/performance.md.',
  ];
}
