/** Processes as the host sees them, read from /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** Undefined if the process is gone, or not ours to read. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Fields of /proc/PID/stat from the third on: state, parent, group, session, terminal and so on. */
function statOf(pid: number): string[] | undefined {
  // The name, in parentheses, may have spaces; what follows has none.
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Undefined if the process is gone, as in `sessionOf`. */
export function parentOf(pid: number): number | undefined {
  const parent = statOf(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

export function sessionOf(pid: number): number | undefined {
  const session = statOf(pid)?.[3];
  return session === undefined ? undefined : Number(session);
}

/** When it began, in ticks since the machine did: with its number, this is one process and no other. */
export function startTimeOf(pid: number): number | undefined {
  const ticks = statOf(pid)?.[19];
  return ticks === undefined ? undefined : Number(ticks);
}

/** Undefined if the process is gone. */
export function niceOf(pid: number): number | undefined {
  const nice = statOf(pid)?.[16];
  return nice === undefined ? undefined : Number(nice);
}

/** Processes of any of these sessions, wherever they are; dead ones that nobody has reaped too. */
export function processesInSessions(sessions: Set<number>): number[] {
  return pids().filter((pid) => sessions.has(sessionOf(pid) ?? 0));
}

/** All processes below `root`, whatever their depth. */
export function descendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of pids()) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  const queue = [root];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    const below = children.get(pid) ?? [];
    found.push(...below);
    queue.push(...below);
  }
  return found;
}

/** A field of /proc/PID/status, without its name; the empty string if it is not there. */
export function statusField(pid: number, field: string): string {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
  const line = status.split('\n').find((each) => each.startsWith(`${field}:`));
  return line?.slice(field.length + 1).trim() ?? '';
}

/** `user:[4026531837]`, for example; undefined if the process is gone. */
export function namespaceOf(pid: number | 'self', name: string): string | undefined {
  return attempt(() => readlinkSync(`/proc/${pid}/ns/${name}`));
}

/** How deep its PID namespace is nested: 1 for a process of the host. */
export function pidDepth(pid: number): number {
  return statusField(pid, 'NSpid').split(/\s+/).filter(Boolean).length;
}

/** Sandboxes below `root`, whatever their backend: processes that have taken the last step, the second filter. */
export function sandboxesOf(root: number): number[] {
  const filters = Number(statusField(process.pid, 'Seccomp_filters')) + 2;
  return descendants(root).filter((pid) => Number(statusField(pid, 'Seccomp_filters')) === filters);
}

/** Launchers below `root` that have a sandbox. */
export function launchersOf(root: number): number[] {
  return [...new Set(sandboxesOf(root).flatMap((pid) => parentOf(pid) ?? []))];
}

/** Processes in any of these user namespaces, wherever they are. One that is dead, and just not reaped, does not count. */
export function processesInUserNamespaces(namespaces: Set<string>): number[] {
  return pids().filter(
    (pid) => namespaces.has(namespaceOf(pid, 'user') ?? '') && !statusField(pid, 'State').startsWith('Z'),
  );
}

/** Descriptor numbers of a process, with what each refers to; undefined if the process is gone. */
export function descriptorsOf(pid: number | 'self'): Map<number, string> | undefined {
  return attempt(
    () =>
      new Map(
        readdirSync(`/proc/${pid}/fd`)
          .map(Number)
          .flatMap((number) => {
            const target = attempt(() => readlinkSync(`/proc/${pid}/fd/${number}`));
            return target === undefined ? [] : [[number, target] as const];
          }),
      ),
  );
}

/** Polls until `isTrue`, at most `timeoutMs`. */
export async function eventually(isTrue: () => boolean, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  while (!isTrue()) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
