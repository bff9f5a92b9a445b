/*
 * setTimeout, setInterval and their clears. The host asks for the next moment, waits for it, and has one timer run.
 *
 * As the HTML standard has them: in order of time, then of insertion; further arguments are passed on; ids are positive
 * integers. A delay is converted to a number and cut to an integer; what is no number, or negative, is 0. An interval is
 * at least 1 ms. A delay of more than 2 ** 31 - 1 ms, Infinity included, is that long: no run is. Text is not evaluated.
 *
 * The timers are a pairing heap: as fast with thousands as with one, and without an array, whose elements a program could
 * intercept. They count against the program's memory like all that it makes.
 */
(parts) => {
  const { list, uncurry, defineGlobals, typeError } = parts;
  const { now, elapsed, reach } = parts.host;
  const { apply } = Reflect;
  const idMap = new Map();
  const findTimer = uncurry(Map.prototype.get);
  const forgetTimer = uncurry(Map.prototype.delete);
  const { set } = Map.prototype;

  const DELAY_MAXIMUM = 2 ** 31 - 1;

  let root = null;
  let lastId = 0;
  let lastOrder = 0;

  const isBefore = (a, b) => a.due < b.due || (a.due === b.due && a.order < b.order);

  /* `previous` of a first child is its parent. */
  const adopt = (parent, child) => {
    child.next = parent.child;
    if (parent.child !== null) parent.child.previous = child;
    child.previous = parent;
    parent.child = child;
    return parent;
  };

  const join = (a, b) => {
    if (a === null) return b;
    if (b === null) return a;
    return isBefore(b, a) ? adopt(b, a) : adopt(a, b);
  };

  /* Siblings to one heap: by pairs from the first to the last, then from the last to the first. */
  const joinSiblings = (first) => {
    let pairs = null;
    let one = first;
    while (one !== null) {
      const two = one.next;
      const following = two === null ? null : two.next;
      one.next = one.previous = null;
      if (two !== null) two.next = two.previous = null;
      const pair = join(one, two);
      pair.next = pairs;
      pairs = pair;
      one = following;
    }
    let heap = null;
    while (pairs !== null) {
      const { next } = pairs;
      pairs.next = null;
      heap = join(heap, pairs);
      pairs = next;
    }
    return heap;
  };

  const remove = (timer) => {
    const below = joinSiblings(timer.child);
    timer.child = null;
    if (timer === root) {
      root = below;
      return;
    }
    const { previous, next } = timer;
    if (previous.child === timer) previous.child = next;
    else previous.next = next;
    if (next !== null) next.previous = previous;
    timer.next = timer.previous = null;
    root = join(root, below);
  };

  /* `due` is of the program's clock, by which timers are ordered; `wake` is of the real one. They differ with a seed. */
  const schedule = (timer) => {
    timer.due = now() + timer.delay;
    timer.wake = elapsed() + timer.delay;
    timer.order = ++lastOrder;
    root = join(root, timer);
  };

  const start = (name, callback, delay, repeats, values) => {
    if (typeof callback !== 'function') {
      const kind = callback === null ? 'null' : typeof callback;
      throw typeError(`${name} needs a function as its first argument, not ${kind}`);
    }
    let milliseconds = +delay;
    milliseconds = milliseconds >= 1 ? milliseconds : 0; /* NaN too */
    if (milliseconds > DELAY_MAXIMUM) milliseconds = DELAY_MAXIMUM;
    milliseconds -= milliseconds % 1;
    if (repeats && milliseconds === 0) milliseconds = 1;
    const timer = {
      __proto__: null,
      id: ++lastId,
      delay: milliseconds,
      repeats,
      callback,
      values,
      due: 0,
      wake: 0,
      order: 0,
      child: null,
      next: null,
      previous: null,
    };
    apply(set, idMap, list(timer.id, timer));
    schedule(timer);
    return timer.id;
  };

  const clear = (id) => {
    const number = typeof id === 'string' ? +id : id;
    const timer = findTimer(idMap, number);
    if (timer === undefined) return;
    forgetTimer(idMap, number);
    timer.repeats = false;
    if (timer !== running) remove(timer);
  };

  let running = null;

  /* When the next timer is to run, in real milliseconds since the run began; undefined: there is none. */
  parts.nextTimer = () => (root === null ? undefined : root.wake);

  /* Runs that timer. What its callback throws is thrown. */
  parts.runTimer = () => {
    const timer = root;
    remove(timer);
    reach(timer.due);
    if (!timer.repeats) forgetTimer(idMap, timer.id);
    running = timer;
    apply(timer.callback, undefined, timer.values);
    running = null;
    if (timer.repeats) schedule(timer);
  };

  defineGlobals({
    setTimeout(callback, delay = 0, ...values) {
      return start('setTimeout', callback, delay, false, values);
    },
    setInterval(callback, delay = 0, ...values) {
      return start('setInterval', callback, delay, true, values);
    },
    clearTimeout(id) {
      clear(id);
    },
    clearInterval(id) {
      clear(id);
    },
  });
};
