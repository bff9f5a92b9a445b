/**
 * Parsing the arguments of a call holds the main thread, and a program can send many calls at once, which all arrive in one
 * turn of the event loop. Large ones are parsed one in each turn, whatever runs they belong to, so that everything else has
 * its turn in between: 16 calls with half a million numbers each held the loop for 1 to 2.3 s in one piece, and hold it for
 * 0.2 s at a time now (on a busy machine). What one call can do at worst, `maxFrameBytes` bounds.
 */

/** UTF-16 code units of JSON that are parsed at once: some milliseconds. */
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
