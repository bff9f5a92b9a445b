/* The global `performance`: milliseconds since the run began, by a clock that only goes forward, and when that was. */
(parts) => {
  const { hide } = parts;
  const { read, origin } = parts.host;
  let timeOrigin;

  const performance = {
    now: () => read(),
    get timeOrigin() {
      timeOrigin ??= origin();
      return timeOrigin;
    },
    toJSON: () => ({ timeOrigin: performance.timeOrigin }),
  };
  Object.defineProperty(performance, Symbol.toStringTag, { value: 'Performance', configurable: true });
  hide(globalThis, 'performance', performance);
};
