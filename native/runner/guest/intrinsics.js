/*
 * Runs first of the scripts in this folder: what the others use to stay independent of a program.
 *
 * Each script evaluates to a function that is called once, in the empty engine, with `parts`: it finds there what earlier
 * scripts have made, and adds what later ones, or the runner, need. `parts.host` has the runner's own functions.
 *
 * A program may change every built-in object, and must change nothing here by that. So whatever is used after the scripts
 * have run is taken into constants now, and nothing that runs later uses a method, an iterator, an array's literal or an
 * element that an array does not have yet.
 */
(parts) => {
  const { apply } = Reflect;
  const { bind, call } = Function.prototype;
  const { defineProperty, getOwnPropertyDescriptor } = Object;

  /* An array of the arguments. */
  const list = (...items) => items;

  /* A method as a function of its object and its arguments. */
  const uncurry = (method) => apply(bind, call, list(method));

  /* The same, for an accessor. */
  const getter = (prototype, key) => uncurry(getOwnPropertyDescriptor(prototype, key).get);

  /* A property as built-in ones are: not enumerable. */
  const hide = (object, key, value) =>
    defineProperty(object, key, {
      __proto__: null,
      value,
      writable: true,
      enumerable: false,
      configurable: true,
    });

  const defineGlobals = (functions) => {
    for (const name of Object.keys(functions)) hide(globalThis, name, functions[name]);
  };

  /* Errors that a program can tell by the classes that it had at first, also if it has put others in their place. */
  const TypeErrorClass = TypeError;
  const RangeErrorClass = RangeError;
  const typeError = (message) => new TypeErrorClass(message);
  const rangeError = (message) => new RangeErrorClass(message);

  parts.list = list;
  parts.typeError = typeError;
  parts.rangeError = rangeError;
  parts.uncurry = uncurry;
  parts.getter = getter;
  parts.hide = hide;
  parts.defineGlobals = defineGlobals;
};
