/** A promise and what settles it, for tests that hold a tool call open until they have looked around. */
export interface Deferred<T = void> {
  promise: Promise<T>;
  resolve(value: T): void;
}

export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A tool whose calls wait until they are released, and a promise of the moment when `count` calls have come. */
export function gate(count = 1): {
  tool: () => Promise<null>;
  entered: Promise<void>;
  release: () => void;
} {
  const entered = deferred();
  const released = deferred();
  let calls = 0;
  return {
    tool: async () => {
      if (++calls === count) entered.resolve();
      await released.promise;
      return null;
    },
    entered: entered.promise,
    release: () => released.resolve(),
  };
}
