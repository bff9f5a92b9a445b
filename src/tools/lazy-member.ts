/** Members that are made when somebody reads them. */

/**
 * Gives `object` a member that is made when it is first read, and is like any other to whoever reads, copies or prints the
 * object.
 */
export function defineLazily<T extends object, K extends keyof T & string>(
  object: T,
  key: K,
  make: () => T[K],
): void {
  const common = { enumerable: true, configurable: true };
  Object.defineProperty(object, key, {
    ...common,
    get(this: T) {
      const value = make();
      Object.defineProperty(this, key, { ...common, writable: true, value });
      return value;
    },
    set(this: T, value: T[K]) {
      Object.defineProperty(this, key, { ...common, writable: true, value });
    },
  });
}
