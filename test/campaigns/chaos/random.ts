/** Random numbers that are the same for the same seed, so that a campaign can be had again. */

/** Numbers from 0 to 1 (exclusive). By xorshift32; the seed is any whole number. */
export function randomNumbers(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** One of a list; undefined if it is empty. */
export function oneOf<T>(list: readonly T[], random: () => number): T | undefined {
  return list[Math.floor(random() * list.length)];
}
