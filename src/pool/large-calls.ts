/**
 * Parsing arguments of a megabyte may take the main thread a hundred milliseconds, and a program can send many at once,
 * which all arrive in one turn of the event loop. Large ones are parsed one in each turn, whatever runs they belong to, so
 * that everything else has its turn in between: 16 calls with 1 MiB of `{}` each held the loop for 1.6 s in one piece, and
 * hold it for 16 times 0.1 s now.
 */

/** UTF-16 code units of JSON that are parsed at once: at most some milliseconds. */
const LARGE = 65_536;

const waiting: (() => void)[] = [];

/** Calls `start` now, or when the large calls before it have had their turns. */
export function startCall(argumentsText: string, start: () => void): void {
  if (argumentsText.length < LARGE) {
    start();
    return;
  }
  waiting.push(start);
  if (waiting.length === 1) setImmediate(startNext);
}

function startNext(): void {
  const start = waiting[0];
  try {
    start?.();
  } finally {
    waiting.shift();
    if (waiting.length > 0) setImmediate(startNext);
  }
}
