/** For what Prometheus will have seen in a moment: it looks once a second. */
import assert from 'node:assert/strict';

const SEEN_MS = 30_000;
const PAUSE_MS = 250;

/** Asks until the answer is the one that is expected, and fails with the last one if it never is. */
export async function eventually<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  const until = performance.now() + SEEN_MS;
  for (;;) {
    const answer = await ask();
    try {
      assert.deepEqual(answer, expected);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
