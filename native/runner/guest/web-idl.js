/* What interfaces of the web's standards have in common, by the Web IDL standard. */
(parts) => {
  const { uncurry } = parts;
  const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const { toStringTag } = Symbol;
  const wellFormed = uncurry(String.prototype.toWellFormed);

  /* A value as a string without lone surrogates, USVString. */
  const toWebText = (value) => wellFormed(`${value}`);

  /* Functions and accessors are enumerable, unlike those of ECMAScript. */
  const enumerate = (object) => {
    for (const key of getOwnPropertyNames(object)) {
      const { get, value } = getOwnPropertyDescriptor(object, key);
      if (key !== 'constructor' && (get !== undefined || typeof value === 'function')) {
        defineProperty(object, key, { enumerable: true });
      }
    }
  };

  /* Gives the class the shape of a web interface. */
  const asWebInterface = (made, name) => {
    enumerate(made);
    enumerate(made.prototype);
    defineProperty(made.prototype, toStringTag, { value: name, configurable: true });
  };

  parts.toWebText = toWebText;
  parts.asWebInterface = asWebInterface;
};
