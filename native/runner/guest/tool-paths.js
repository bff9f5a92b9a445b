/*
 * Dotted names as paths: a tool `math.double` is also reached as `tools.math.double`. Called before the program runs, on
 * the object `tools` while it can be extended.
 *
 * A path is left out where it would be ambiguous: if the name has an empty segment, or if a shorter part of it, up to one
 * of its dots, is itself a tool. The objects on the way have no prototype, are frozen, and list what they contain, but are
 * not listed themselves: the enumerable keys of `tools` stay the declared names.
 */
(parts) => {
  const { defineProperty, freeze, hasOwn, keys } = Object;

  const isAmbiguous = (tools, segments) => {
    if (segments.includes('')) return true;
    for (let count = 1; count < segments.length; count++) {
      if (hasOwn(tools, segments.slice(0, count).join('.'))) return true;
    }
    return false;
  };

  parts.addToolPaths = (tools) => {
    const root = { __proto__: null };
    const spaces = [];
    for (const name of keys(tools)) {
      const segments = name.split('.');
      if (segments.length === 1 || isAmbiguous(tools, segments)) continue;
      const last = segments.pop();
      let space = root;
      for (const segment of segments) {
        if (!(segment in space)) {
          space[segment] = { __proto__: null };
          spaces.push(space[segment]);
        }
        space = space[segment];
      }
      space[last] = tools[name];
    }
    for (const space of spaces) freeze(space);
    for (const name of keys(root)) defineProperty(tools, name, { value: root[name] });
  };
};
