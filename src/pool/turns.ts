/**
 * Who has the main thread. What a program sends takes time of it: arguments and results are parsed, handlers run, what they return
 * is written. Most programs need less than a millisecond in all, and have it at once. What is large, and whatever a run wants that
 * has had much already, takes turns instead, some at a time, so that a flood of one program's calls does not hold up the
 * others. Must not know what is done.
 */

/** What is between two calls of `next`, a generator's for one, is done in one go. */
export type Pieces = Pick<Iterator<void, void>, 'next'>;

/** The time of the main thread that one run has had, ms. */
export class HostTime {
  spentMs = 0;
}

/** What a run may have at once, ms: the calls that a program makes by default take less. */
const FREE_MS = 5;

/** For those that wait, in one turn of the event loop, ms; one piece may go beyond. */
const TURN_MS = 1;

interface Work {
  readonly time: HostTime;
  readonly pieces: Pieces;
}

const waiting: Work[] = [];

/** Does it now, or when its turns come: always if it `isLarge`, and else if the run has had much. */
export function inTurns(time: HostTime, isLarge: boolean, pieces: Pieces): void {
  const work = { time, pieces };
  if (!isLarge && time.spentMs < FREE_MS) {
    while (!isDoneAfterNext(work));
    return;
  }
  waiting.push(work);
  if (waiting.length === 1) setImmediate(serve);
}

/** Work of a single piece. */
export function onePiece(work: () => void): Pieces {
  return {
    next: () => {
      work();
      return { done: true, value: undefined };
    },
  };
}

function serve(): void {
  const until = performance.now() + TURN_MS;
  try {
    do serveFirst();
    while (waiting.length > 0 && performance.now() < until);
  } finally {
    if (waiting.length > 0) setImmediate(serve);
  }
}

/** The others come before its next piece. */
function serveFirst(): void {
  const [work] = waiting;
  if (work === undefined) return;
  let isDone = true;
  try {
    isDone = isDoneAfterNext(work);
  } finally {
    waiting.shift();
    if (!isDone) waiting.push(work);
  }
}

function isDoneAfterNext({ time, pieces }: Work): boolean {
  const from = performance.now();
  try {
    return pieces.next().done === true;
  } finally {
    time.spentMs += performance.now() - from;
  }
}
