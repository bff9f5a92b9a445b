/* Values as text for a reader: for the console, and for what a program throws. Never throws, whatever the value is. */
(parts) => {
  const { uncurry, getter, urlHref, searchParamsPairs } = parts;
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
  const { isArray } = Array;
  const isNotANumber = Number.isNaN;
  const ObjectPrototype = Object.prototype;
  const ArrayPrototype = Array.prototype;
  const toText = String;
  const stringify = JSON.stringify;
  const isEngineError = Error.isError;
  const exceptionName = getter(DOMException.prototype, 'name');
  const bigIntText = uncurry(BigInt.prototype.toString);
  const symbolText = uncurry(Symbol.prototype.toString);
  const dateText = uncurry(Date.prototype.toISOString);
  const dateTime = uncurry(Date.prototype.getTime);
  const regexpSource = getter(RegExp.prototype, 'source');
  const regexpFlags = getter(RegExp.prototype, 'flags');
  const mapSize = getter(Map.prototype, 'size');
  const setSize = getter(Set.prototype, 'size');
  const mapEach = uncurry(Map.prototype.forEach);
  const setEach = uncurry(Set.prototype.forEach);
  const typedName = getter(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
  const typedLength = getter(getPrototypeOf(Uint8Array.prototype), 'length');
  const promisePrototype = Promise.prototype;
  const codeAt = uncurry(String.prototype.charCodeAt);

  /* Bounds of one formatted value: a person reads it, and a limit of log bytes cuts it anyway. */
  const DEPTH = 4;
  const ITEMS = 100;

  const attempt = (read, value) => {
    try {
      return read(value);
    } catch {
      return undefined;
    }
  };

  /* To this engine, a DOMException is no error. */
  const isError = (value) => isEngineError(value) || attempt(exceptionName, value) !== undefined;

  const quote = (text) => stringify(text);
  const isLetter = (code) =>
    (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;
  const keyText = (key) => {
    const { length } = key;
    for (let i = 0; i < length; i++) {
      const code = codeAt(key, i);
      if (!isLetter(code) && (i === 0 || code < 48 || code > 57)) return quote(key);
    }
    return length > 0 ? key : quote(key);
  };

  const isSeen = (value, seen) => {
    for (let entry = seen; entry !== null; entry = entry.next) if (entry.value === value) return true;
    return false;
  };

  const propertyText = (object, key, depth, seen) => {
    const property = getOwnPropertyDescriptor(object, key);
    if (property === undefined) return 'undefined';
    if (property.get !== undefined || property.set !== undefined) return '[Getter]';
    return format(property.value, depth, seen);
  };

  /* The parts of an array or object, between its brackets. */
  const membersText = (object, depth, seen) => {
    let text = '';
    if (isArray(object)) {
      const { length } = object;
      for (let i = 0; i < length && i < ITEMS; i++) {
        text += (i > 0 ? ', ' : '') + propertyText(object, toText(i), depth, seen);
      }
      return length > ITEMS ? `${text}, ... ${length - ITEMS} more` : text;
    }
    const names = keys(object);
    const { length } = names;
    for (let i = 0; i < length && i < ITEMS; i++) {
      text += `${i > 0 ? ', ' : ''}${keyText(names[i])}: ${propertyText(object, names[i], depth, seen)}`;
    }
    return length > ITEMS ? `${text}, ... ${length - ITEMS} more` : text;
  };

  const constructorName = (object) => {
    const prototype = getPrototypeOf(object);
    if (prototype === null) return '[null prototype]';
    if (prototype === ObjectPrototype || prototype === ArrayPrototype) return '';
    const property = getOwnPropertyDescriptor(prototype, 'constructor');
    const name =
      property && typeof property.value === 'function' && getOwnPropertyDescriptor(property.value, 'name');
    return name && typeof name.value === 'string' ? name.value : '';
  };

  const collectionText = (object, each, size, pair, depth, seen) => {
    let text = '';
    let count = 0;
    each(object, (value, key) => {
      if (count < ITEMS) {
        text += count > 0 ? ', ' : '';
        text += pair
          ? `${format(key, depth, seen)} => ${format(value, depth, seen)}`
          : format(value, depth, seen);
      }
      count++;
    });
    if (count > ITEMS) text += `, ... ${count - ITEMS} more`;
    return `${pair ? 'Map' : 'Set'}(${size}) {${text === '' ? '' : ` ${text} `}}`;
  };

  /* Objects whose properties are not what a reader wants to see. The test of each is one that a program cannot forge. */
  const specialText = (object, depth, seen) => {
    if (isError(object)) {
      const name = attempt((error) => error.name, object);
      const message = attempt((error) => error.message, object);
      const head = typeof name === 'string' ? name : 'Error';
      return typeof message === 'string' && message !== '' ? `${head}: ${message}` : head;
    }
    const time = attempt(dateTime, object);
    if (time !== undefined) return isNotANumber(time) ? 'Invalid Date' : dateText(object);
    if (object !== RegExp.prototype) {
      const source = attempt(regexpSource, object);
      if (source !== undefined) return `/${source}/${attempt(regexpFlags, object) ?? ''}`;
    }
    let size = attempt(mapSize, object);
    if (size !== undefined) return collectionText(object, mapEach, size, true, depth, seen);
    size = attempt(setSize, object);
    if (size !== undefined) return collectionText(object, setEach, size, false, depth, seen);
    const typed = attempt(typedName, object);
    if (typed !== undefined) {
      const length = typedLength(object);
      let text = '';
      for (let i = 0; i < length && i < ITEMS; i++) text += (i > 0 ? ', ' : '') + toText(object[i]);
      return `${typed}(${length}) [ ${text}${length > ITEMS ? `, ... ${length - ITEMS} more` : ''} ]`;
    }
    if (isPromise(object)) return '[Promise]';
    const href = urlHref(object);
    if (href !== undefined) return `URL { href: ${quote(href)} }`;
    const pairs = searchParamsPairs(object);
    if (pairs !== undefined) {
      const { length } = pairs;
      let text = '';
      for (let i = 0; i < length && i < ITEMS; i++) {
        text += `${i > 0 ? ', ' : ' '}${quote(pairs[i].name)} => ${quote(pairs[i].value)}`;
      }
      if (length > ITEMS) text += `, ... ${length - ITEMS} more`;
      return `URLSearchParams(${length}) {${text}${length > 0 ? ' ' : ''}}`;
    }
    return undefined;
  };

  const isPromise = (object) => attempt(() => getPrototypeOf(object) === promisePrototype, object) === true;

  const objectText = (object, depth, seen) => {
    if (isSeen(object, seen)) return '[Circular]';
    const prototype = getPrototypeOf(object);
    const array = isArray(object);
    if (prototype !== ObjectPrototype && !array) {
      const special = specialText(object, depth + 1, { __proto__: null, value: object, next: seen });
      if (special !== undefined) return special;
    }
    if (depth >= DEPTH) return array ? '[Array]' : '[Object]';
    const members = membersText(object, depth + 1, { __proto__: null, value: object, next: seen });
    const name = constructorName(object);
    const open = array ? '[' : '{';
    const close = array ? ']' : '}';
    return `${name === '' ? '' : `${name} `}${open}${members === '' ? '' : ` ${members} `}${close}`;
  };

  const functionLabel = (value) => {
    const property = getOwnPropertyDescriptor(value, 'name');
    const name = property && typeof property.value === 'string' ? property.value : '';
    return name === '' ? '[Function (anonymous)]' : `[Function: ${name}]`;
  };

  const format = (value, depth, seen) => {
    switch (typeof value) {
      case 'string':
        return quote(value);
      case 'bigint':
        return `${bigIntText(value)}n`;
      case 'symbol':
        return symbolText(value);
      case 'function':
        return functionLabel(value);
      case 'object':
        return value === null ? 'null' : objectText(value, depth, seen);
      case 'number':
        return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
      default:
        return `${value}`;
    }
  };

  const inspect = (value) => {
    try {
      return format(value, 0, null);
    } catch {
      return '[a value that cannot be shown]';
    }
  };

  parts.inspect = inspect;
  defineProperty(Error, 'isError', { value: { isError: (value) => isError(value) }.isError });
};
