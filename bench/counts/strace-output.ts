/**
 * Reads what `strace -f -o FILE -e raw=all` wrote: which thread made which system call, in the order in which they were
 * made, and what came back. Must not know who the threads are.
 */

export interface SystemCall {
  thread: number;
  name: string;
  /** Undefined if it did not return. An error is -1. */
  result: number | undefined;
}

/** One thing that happened; `ended` is the thread's last. */
export type TraceEvent = SystemCall | { thread: number; ended: true };

/** "12 read(0x3, 0x7f, 0x10) = 0x10", "… <unfinished ...>" in place of the end, or "… <... read resumed>) = 0x10". */
const COMPLETE = /^(\w+)\(.*\)\s+= (\S+)/;
const UNFINISHED = /^(\w+)\(.*<unfinished \.\.\.>$/;
const RESUMED = /^<\.\.\. (\w+) resumed>.*\)\s+= (\S+)/;
const ENDED = /^\+\+\+ (?:exited with|killed by) .*\+\+\+$/;
const SIGNAL = /^--- .* ---$/;

/** @throws on a line that is none of these, because what it does not count would be missing unseen. */
export function readTrace(text: string): TraceEvent[] {
  const events: TraceEvent[] = [];
  const unfinished = new Map<number, SystemCall>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, number, what = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const thread = Number(number);
    const [, name = '', result] = COMPLETE.exec(what) ?? UNFINISHED.exec(what) ?? [];
    const resumed = RESUMED.exec(what);
    if (name !== '') {
      const call = { thread, name, result: resultOf(result) };
      events.push(call);
      if (result === undefined) unfinished.set(thread, call);
    } else if (resumed !== null) {
      const call = unfinished.get(thread);
      if (call !== undefined && call.name === resumed[1]) call.result = resultOf(resumed[2]);
      unfinished.delete(thread);
    } else if (ENDED.test(what)) {
      events.push({ thread, ended: true });
    } else if (!SIGNAL.test(what)) {
      throw new Error(`cannot read this line of strace's output: "${line}"`);
    }
  }
  return events;
}

/** strace prints "?" for a call that did not return. */
function resultOf(text: string | undefined): number | undefined {
  return text === undefined || text === '?' ? undefined : Number(text);
}
