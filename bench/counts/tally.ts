/**
 * From a trace, and who is who in it, to the system calls of one execution. Medians over blocks of executions, so that a
 * collection of garbage in some of them changes nothing.
 */
import { spread } from '../measure.js';
import type { SystemCall, TraceEvent } from './strace-output.js';

/** What one execution cost one kind of process. */
export interface CallCost {
  /** Without those that depend on timing. */
  systemCalls: number;
  epollWaits: number;
  /** By read, write and their kin; what goes through shared memory is not in it. */
  bytesCopied: number;
  byName: Record<string, number>;
}

export interface Roles {
  mainThread: number;
  threads: number[];
  launcher: number;
}

/** The main thread calls it before the first block and after each, and for nothing else. */
const MARK = 'kill';

const EPOLL_WAIT = /^epoll_p?wait2?$/;

/** epoll finds more or fewer events at a time; futex is called when threads happen to meet. */
export const TIMING_DEPENDENT = /^(epoll_p?wait2?|futex)$/;

/** Calls whose result is a number of bytes. */
const COPIES = /^(p?(read|write)(v2?|64)?|send(to|msg|file)|recv(from|msg)|splice|vmsplice|copy_file_range)$/;

export function tally(events: TraceEvent[], roles: Roles, executionsPerBlock: number) {
  const marks = events.flatMap((event, index) =>
    event.thread === roles.mainThread && 'name' in event && event.name === MARK ? [index] : [],
  );
  const [first = 0] = marks;
  const blocks = marks
    .slice(1)
    .map((end, index) => events.slice((marks[index] ?? 0) + 1, end).filter(isCall));
  if (blocks.length === 0)
    throw new Error(`the trace has no blocks: the main thread made no call of ${MARK}`);
  const node = new Set(roles.threads);
  const cost = (isOurs: (call: SystemCall) => boolean) =>
    costOf(
      blocks.map((calls) => calls.filter(isOurs)),
      executionsPerBlock,
    );
  return {
    node: cost(({ thread }) => node.has(thread)),
    launcher: cost(({ thread }) => thread === roles.launcher),
    sandbox: costOf(sandboxes(events, roles, first), 1),
  };
}

/** All calls of each sandbox that began after the first mark and has ended: nothing else is started there. */
function sandboxes(events: TraceEvent[], { threads, launcher }: Roles, from: number): SystemCall[][] {
  const before = new Set([...threads, launcher, ...events.slice(0, from).map(({ thread }) => thread)]);
  const lives = new Map<number, SystemCall[]>();
  const ended: SystemCall[][] = [];
  for (const event of events.slice(from)) {
    if (before.has(event.thread)) continue;
    const calls = lives.get(event.thread) ?? [];
    lives.set(event.thread, calls);
    if (isCall(event)) calls.push(event);
    else if (calls.some(({ name }) => name === 'exit_group')) ended.push(calls); // else it was killed, unused
  }
  return ended;
}

function isCall(event: TraceEvent): event is SystemCall {
  return 'name' in event;
}

function costOf(samples: SystemCall[][], executions: number): CallCost {
  const median = (countIn: (calls: SystemCall[]) => number) =>
    spread(samples.map(countIn)).median / executions;
  const names = [...new Set(samples.flat().map(({ name }) => name))].sort();
  const byName = names.map((name) => [
    name,
    median((calls) => calls.filter((call) => call.name === name).length),
  ]);
  return {
    systemCalls: median((calls) => calls.filter(({ name }) => !TIMING_DEPENDENT.test(name)).length),
    epollWaits: median((calls) => calls.filter(({ name }) => EPOLL_WAIT.test(name)).length),
    bytesCopied: median((calls) => calls.reduce((sum, call) => sum + bytesOf(call), 0)),
    byName: Object.fromEntries(byName.filter(([, count]) => count !== 0)),
  };
}

function bytesOf({ name, result = 0 }: SystemCall): number {
  return COPIES.test(name) ? Math.max(0, result) : 0;
}
