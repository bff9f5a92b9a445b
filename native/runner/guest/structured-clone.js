/*
 * structuredClone, as the HTML standard has it. A buffer that is transferred is copied, and the original detached: nobody
 * can tell the difference. Shared memory is not cloned: there is nobody to share it with.
 */
(parts) => {
  const { list, uncurry, getter, hide, isArrayBuffer, isDataView, lengthOf, typedArrayName, view } = parts;
  const { kindOf } = parts.host;
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, getOwnPropertySymbols, keys } = Object;
  const iteratorSymbol = Symbol.iterator;
  const toText = String;
  const Exception = DOMException;
  const exceptionName = getter(DOMException.prototype, 'name');
  const exceptionMessage = getter(DOMException.prototype, 'message');
  const MapOf = Map;
  const SetOf = Set;
  const ArrayOf = Array;
  const RegularExpression = RegExp;
  const DateOf = Date;
  const Buffer = ArrayBuffer;
  const View = DataView;
  const toObject = Object;
  const dateTime = uncurry(Date.prototype.getTime);
  const regexpSource = getter(RegExp.prototype, 'source');

  /* The getter of `flags` would read the others as properties, which a program can change. */
  let regexpFlags = () => '';
  for (const [letter, name] of Object.entries({
    d: 'hasIndices',
    g: 'global',
    i: 'ignoreCase',
    m: 'multiline',
    s: 'dotAll',
    u: 'unicode',
    v: 'unicodeSets',
    y: 'sticky',
  })) {
    const before = regexpFlags;
    const isSet = getter(RegExp.prototype, name);
    regexpFlags = (regexp) => before(regexp) + (isSet(regexp) ? letter : '');
  }
  const numberOf = uncurry(Number.prototype.valueOf);
  const stringOf = uncurry(String.prototype.valueOf);
  const booleanOf = uncurry(Boolean.prototype.valueOf);
  const bigIntOf = uncurry(BigInt.prototype.valueOf);
  const mapEach = uncurry(Map.prototype.forEach);
  const setEach = uncurry(Set.prototype.forEach);
  const mapGet = uncurry(Map.prototype.get);
  const setHas = uncurry(Set.prototype.has);
  const setAdd = uncurry(Set.prototype.add);
  const { set } = Map.prototype;
  const mapSet = (map, key, value) => apply(set, map, list(key, value));
  const bufferBytes = getter(ArrayBuffer.prototype, 'byteLength');
  const bufferMaximum = getter(ArrayBuffer.prototype, 'maxByteLength');
  const isResizable = getter(ArrayBuffer.prototype, 'resizable');
  const isDetached = getter(ArrayBuffer.prototype, 'detached');
  const detach = uncurry(ArrayBuffer.prototype.transfer);
  const fillFrom = uncurry(Uint8Array.prototype.set);
  const Bytes = Uint8Array;

  const typedArrays = { __proto__: null };
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (name.endsWith('Array') && name !== 'Array') typedArrays[name] = globalThis[name];
  }
  const errors = {
    __proto__: null,
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  };

  /* As enum guest_kind of the runner has them. */
  const [
    OTHER,
    ARRAY,
    FUNCTION,
    ERROR,
    REGEXP,
    PROMISE,
    MAP,
    SET,
    WEAK,
    BINARY,
    NUMBER,
    STRING,
    BOOLEAN,
    UNFIT,
    DATE,
    EXCEPTION,
  ] = ArrayOf(16).keys();
  const PROXY = -1;

  const refuse = (what) => new Exception(`structuredClone cannot clone ${what}`, 'DataCloneError');

  const define = (object, key, value) =>
    defineProperty(object, key, {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });

  const cloneBuffer = (buffer) => {
    if (!isArrayBuffer(buffer)) throw refuse('shared memory');
    if (isDetached(buffer)) throw refuse('an ArrayBuffer that is detached');
    const length = bufferBytes(buffer);
    const copy = isResizable(buffer)
      ? new Buffer(length, { __proto__: null, maxByteLength: bufferMaximum(buffer) })
      : new Buffer(length);
    fillFrom(new Bytes(copy), new Bytes(buffer));
    return copy;
  };

  const cloneBinary = (value, memory) => {
    const name = typedArrayName(value);
    if (name !== undefined) {
      const buffer = clone(view.arrayBuffer(value), memory);
      return new typedArrays[name](buffer, view.arrayOffset(value), lengthOf(value));
    }
    if (isDataView(value)) {
      const buffer = clone(view.viewBuffer(value), memory);
      return new View(buffer, view.viewOffset(value), view.viewBytes(value));
    }
    return cloneBuffer(value);
  };

  const cloneError = (error, memory) => {
    const name = error.name;
    const Constructor = (name === undefined ? undefined : errors[toText(name)]) ?? errors.Error;
    const message = getOwnPropertyDescriptor(error, 'message');
    const cause = getOwnPropertyDescriptor(error, 'cause');
    const { stack } = error;
    const copy = new Constructor();
    mapSet(memory, error, copy);
    if (message !== undefined && 'value' in message) hide(copy, 'message', toText(message.value));
    if (typeof stack === 'string') hide(copy, 'stack', stack);
    if (cause !== undefined && 'value' in cause) hide(copy, 'cause', clone(cause.value, memory));
    return copy;
  };

  /* Entries are listed before any is cloned: getters that run meanwhile may change the original. */
  const cloneMap = (map, memory) => {
    const copy = new MapOf();
    mapSet(memory, map, copy);
    let first = null;
    let last = null;
    mapEach(map, (value, key) => {
      const entry = { __proto__: null, key, value, next: null };
      if (last === null) first = entry;
      else last.next = entry;
      last = entry;
    });
    for (let entry = first; entry !== null; entry = entry.next) {
      const key = clone(entry.key, memory);
      mapSet(copy, key, clone(entry.value, memory));
    }
    return copy;
  };

  const cloneSet = (values, memory) => {
    const copy = new SetOf();
    mapSet(memory, values, copy);
    let first = null;
    let last = null;
    setEach(values, (value) => {
      const entry = { __proto__: null, value, next: null };
      if (last === null) first = entry;
      else last.next = entry;
      last = entry;
    });
    for (let entry = first; entry !== null; entry = entry.next) setAdd(copy, clone(entry.value, memory));
    return copy;
  };

  const cloneArray = (array, memory) => {
    const copy = new ArrayOf(array.length);
    mapSet(memory, array, copy);
    const names = keys(array);
    const { length } = names;
    for (let i = 0; i < length; i++) define(copy, names[i], clone(array[names[i]], memory));
    return copy;
  };

  const cloneObject = (object, memory) => {
    const copy = { ...object }; /* defines: no setter of a prototype is called, and __proto__ is a key */
    mapSet(memory, object, copy);
    const symbols = getOwnPropertySymbols(copy);
    for (let i = 0; i < symbols.length; i++) delete copy[symbols[i]];
    const names = keys(copy);
    const { length } = names;
    for (let i = 0; i < length; i++) {
      const value = copy[names[i]];
      if (!isSimple(value)) copy[names[i]] = clone(value, memory);
    }
    return copy;
  };

  const isSimple = (value) => {
    const type = typeof value;
    return value === null || (type !== 'object' && type !== 'function' && type !== 'symbol');
  };

  const clone = (value, memory) => {
    if (isSimple(value)) return value;
    if (typeof value === 'symbol') throw refuse('a symbol');
    const known = mapGet(memory, value);
    if (known !== undefined) return known;
    switch (kindOf(value)) {
      case OTHER:
        return cloneObject(value, memory);
      case ARRAY:
        return cloneArray(value, memory);
      case MAP:
        return cloneMap(value, memory);
      case SET:
        return cloneSet(value, memory);
      case ERROR:
        return cloneError(value, memory);
      case FUNCTION:
        throw refuse('a function');
      case PROMISE:
        throw refuse('a promise; await it');
      case WEAK:
        throw refuse('a weak reference or collection');
      case PROXY:
        throw refuse('a Proxy');
    }
    const copy = cloneLeaf(value, memory);
    mapSet(memory, value, copy);
    return copy;
  };

  /* Objects that do not refer to others, but for views, which have a buffer. */
  const cloneLeaf = (value, memory) => {
    switch (kindOf(value)) {
      case DATE:
        return new DateOf(dateTime(value));
      case REGEXP:
        return new RegularExpression(regexpSource(value), regexpFlags(value));
      case BINARY:
        return cloneBinary(value, memory);
      case NUMBER:
        return toObject(numberOf(value));
      case STRING:
        return toObject(stringOf(value));
      case BOOLEAN:
        return toObject(booleanOf(value));
      case EXCEPTION:
        return new Exception(exceptionMessage(value), exceptionName(value));
      case UNFIT:
        return toObject(unboxBigInt(value));
      default:
        throw refuse('an object of this kind');
    }
  };

  const unboxBigInt = (value) => {
    try {
      return bigIntOf(value);
    } catch {
      throw refuse('a symbol');
    }
  };

  /* The buffers of an iterable, each once. */
  const readTransfer = (iterable) => {
    const buffers = new SetOf();
    if (iterable === undefined) return buffers;
    const iterator = iterable[iteratorSymbol]();
    const { next } = iterator;
    for (let step = apply(next, iterator, list()); !step.done; step = apply(next, iterator, list())) {
      const buffer = step.value;
      if (!isArrayBuffer(buffer))
        throw refuse('the list of transfers: it has something that is no ArrayBuffer');
      if (isDetached(buffer)) throw refuse('the list of transfers: it has an ArrayBuffer that is detached');
      if (setHas(buffers, buffer)) throw refuse('the list of transfers: it has an ArrayBuffer twice');
      setAdd(buffers, buffer);
    }
    return buffers;
  };

  const structuredClone = {
    structuredClone(value, options = undefined) {
      const buffers = readTransfer(options?.transfer);
      const copy = clone(value, new MapOf());
      setEach(buffers, (buffer) => {
        if (!isDetached(buffer)) detach(buffer);
      });
      return copy;
    },
  }.structuredClone;
  hide(globalThis, 'structuredClone', structuredClone);
};
