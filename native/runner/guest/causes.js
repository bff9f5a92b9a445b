/*
 * What an error was caused by, to be put behind its message: its `cause`, and so on, the errors of an AggregateError, and
 * both errors of a SuppressedError.
 * Only data of the errors themselves is looked at; everything is bounded, and nothing is thrown.
 */
(parts) => {
  const { inspect } = parts;
  const { getOwnPropertyDescriptor } = Object;
  const { isArray } = Array;
  const { isError } = Error;

  const DEPTH = 5;
  const ERRORS = 10;

  const own = (object, key) => {
    const property = getOwnPropertyDescriptor(object, key);
    return property !== undefined && 'value' in property ? property : undefined;
  };

  const describe = (value, depth) => inspect(value) + (isError(value) ? causesOf(value, depth + 1) : '');

  const causesOf = (error, depth) => {
    if (depth === DEPTH) return '';
    let text = '';
    const errors = own(error, 'errors');
    if (errors !== undefined && isArray(errors.value)) {
      const { length } = errors.value;
      for (let i = 0; i < length && i < ERRORS; i++) {
        const element = own(errors.value, i);
        text += (i > 0 ? '; ' : '') + (element === undefined ? '?' : describe(element.value, depth));
      }
      text = ` [${text}${length > ERRORS ? `; ... ${length - ERRORS} more` : ''}]`;
    }
    const suppressed = own(error, 'suppressed');
    const later = suppressed === undefined ? undefined : own(error, 'error');
    if (later !== undefined) {
      text += ` [${describe(later.value, depth)}; suppressed: ${describe(suppressed.value, depth)}]`;
    }
    const cause = own(error, 'cause');
    return cause === undefined ? text : `${text} (caused by ${describe(cause.value, depth)})`;
  };

  parts.rejection = (reason) => {
    try {
      return describe(reason, 0);
    } catch {
      return inspect(reason);
    }
  };

  parts.causes = (error) => {
    try {
      return causesOf(error, 0);
    } catch {
      return '';
    }
  };
};
