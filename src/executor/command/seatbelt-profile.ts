/**
 * A resolved policy as a Seatbelt profile (SBPL) for `sandbox-exec`. Paths are parameters and never part of the profile's text, so
 * that no name can become a rule. Generated and tested as text: no profile of it was ever run.
 */
import type { ResolvedRule } from '../../policy/index.js';

export interface SeatbeltRequest {
  /** Real paths of this machine. Rules of the temp have paths within `temp`. */
  rules: readonly ResolvedRule[];
  /** Real path of the command's private temporary directory. */
  temp: string;
  /** Real path of the command, which may be executed whatever the rules show. */
  executable: string;
  network: 'none' | 'direct';
}

export interface SeatbeltProfile {
  /** SBPL. */
  text: string;
  /** What `(param "…")` stands for, by name. */
  parameters: Readonly<Record<string, string>>;
}

/** What a dynamically linked program of macOS reads before its main function. */
const MINIMAL_RUNTIME = [
  '/usr',
  '/bin',
  '/sbin',
  '/System/Library',
  '/System/Volumes/Preboot/Cryptexes',
  '/Library/Apple',
  '/private/var/db/dyld',
  '/private/etc/ssl',
  '/dev/null',
  '/dev/zero',
  '/dev/random',
  '/dev/urandom',
];

const HEAD = [
  '(version 1)',
  '(deny default)',
  // A command starts others, and they are confined as it is.
  '(allow process-fork)',
  '(allow signal (target same-sandbox))',
  '(allow process-info* (target same-sandbox))',
  // The least by which libSystem starts: facts of the machine, and the two services that it asks.
  '(allow sysctl-read)',
  '(allow mach-lookup (global-name "com.apple.system.notification_center") (global-name "com.apple.system.opendirectoryd.libinfo"))',
  // Links are looked at on the way to everything; they say nothing of what they lead to.
  '(allow file-read-metadata)',
  '(allow file-ioctl (literal "/dev/null") (literal "/dev/zero"))',
  '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
];

/**
 * The last rule that matches decides, so that what is denied comes after what is granted, and a denied write between: order and
 * precision of the rules themselves never matter, as in every backend.
 */
export function seatbeltProfile({ rules, temp, executable, network }: SeatbeltRequest): SeatbeltProfile {
  const parameters: Record<string, string> = {};
  const names = new Map<string, string>();
  const parameter = (path: string): string => {
    const name = names.get(path) ?? `PATH_${names.size}`;
    names.set(path, name);
    parameters[name] = path;
    return `(param "${name}")`;
  };
  const filterOf = ({ path, scope }: Pick<ResolvedRule, 'path' | 'scope'>) =>
    `(${scope === 'tree' ? 'subpath' : 'literal'} ${parameter(path)})`;

  const isRuntime = ({ root }: ResolvedRule) => root === 'minimal-runtime';
  const granted = rules.filter((rule) => !isRuntime(rule));
  const runtime: Pick<ResolvedRule, 'path' | 'scope'>[] = rules.some(isRuntime)
    ? MINIMAL_RUNTIME.map((path) => ({ path, scope: 'tree' }))
    : [];
  const having = (...accesses: ResolvedRule['access'][]) =>
    granted.filter(({ access }) => accesses.includes(access)).map(filterOf);

  const readable = [...runtime.map(filterOf), ...having('read', 'write')];
  const lines = [
    ...HEAD,
    ...allow('file-read*', readable),
    ...allow('process-exec* file-map-executable', [...readable, `(literal ${parameter(executable)})`]),
    ...allow('file-read*', [`(literal ${parameter(executable)})`]),
    ...allow('file-write*', having('write')),
    ...(granted.some(({ root, access }) => root === 'temp' && access === 'write')
      ? allow('file-read* file-write*', [`(subpath ${parameter(temp)})`])
      : []),
    ...deny('file-write*', having('deny-write')),
    ...deny('file-read* file-write* process-exec* file-map-executable', having('deny')),
    network === 'direct'
      ? '(allow network*)\n(allow system-socket)\n(allow mach-lookup (global-name "com.apple.dnssd.service"))'
      : '(deny network*)',
  ];
  return { text: `${lines.join('\n')}\n`, parameters };
}

function allow(operations: string, filters: readonly string[]): string[] {
  return filters.map((filter) => `(allow ${operations} ${filter})`);
}

function deny(operations: string, filters: readonly string[]): string[] {
  return filters.map((filter) => `(deny ${operations} ${filter})`);
}

/** The command line of `sandbox-exec` that runs `command`, a program and its arguments, under a profile. */
export function sandboxExecArguments(
  { text, parameters }: SeatbeltProfile,
  command: readonly [string, ...string[]],
): string[] {
  const definitions = Object.entries(parameters).flatMap(([name, path]) => ['-D', `${name}=${path}`]);
  return ['/usr/bin/sandbox-exec', '-p', text, ...definitions, ...command];
}
