/** All orders in which events can come. */

/** Every sequence of at most `depth` of these, with repetitions; the empty one, too. */
export function sequences<T>(events: readonly T[], depth: number): T[][] {
  const all: T[][] = [[]];
  let last: T[][] = all;
  for (let length = 1; length <= depth; length++) {
    last = last.flatMap((sequence) => events.map((event) => [...sequence, event]));
    all.push(...last);
  }
  return all;
}

/** Every order of `length` of these, each at most once. */
export function arrangements<T>(events: readonly T[], length: number): T[][] {
  if (length === 0) return [[]];
  return events.flatMap((event) =>
    arrangements(
      events.filter((other) => other !== event),
      length - 1,
    ).map((rest) => [event, ...rest]),
  );
}
