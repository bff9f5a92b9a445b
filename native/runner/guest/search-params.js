/*
 * The global `URLSearchParams`, as the URL standard has it. The pairs are kept, and read from a text, here;
 * the engine's extension writes them. A program never reaches the extension's own classes.
 */
// biome-ignore-all lint/complexity/noArguments: how many arguments there are is told apart from what they are, and must not
// change the length of a function.
(parts) => {
  const { list, uncurry, hide, typeError, toWebText, asWebInterface, lengthOf, firstBytes } = parts;
  const { encodeUtf8, decodeUtf8 } = parts.host;
  const { apply, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { getPrototypeOf, setPrototypeOf } = Object;
  const { iterator } = Symbol;
  const ArrayPrototype = Array.prototype;
  const Iterator = getPrototypeOf(getPrototypeOf([][iterator]()));
  const sortList = uncurry(ArrayPrototype.sort);
  const indexOf = uncurry(String.prototype.indexOf);
  const slice = uncurry(String.prototype.slice);
  const decodeComponent = decodeURIComponent;

  const Raw = globalThis.URLSearchParams;
  const rawAppend = uncurry(Raw.prototype.append);
  const rawText = uncurry(Raw.prototype.toString);
  const setSearch = uncurry(getOwnPropertyDescriptor(globalThis.URL.prototype, 'search').set);

  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  /* Has no prototype: an element that it does not have yet can be assigned, whatever a program has done to arrays. */
  const emptyList = () => setPrototypeOf(list(), null);
  const toArray = (items) => setPrototypeOf(items, ArrayPrototype);

  const add = (pairs, name, value) => {
    pairs[pairs.length] = { __proto__: null, name, value };
  };

  const withSpaces = (text) => {
    let result = '';
    let from = 0;
    for (let at = indexOf(text, '+', 0); at >= 0; at = indexOf(text, '+', from)) {
      result += `${slice(text, from, at)} `;
      from = at + 1;
    }
    return from === 0 ? text : result + slice(text, from);
  };

  const hexDigit = (code) => {
    if (code >= 0x30 && code <= 0x39) return code - 0x30;
    const letter = code | 0x20;
    return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
  };

  /* Percent signs may stand for themselves here, and bytes need not be UTF-8. */
  const decodeLeniently = (text) => {
    const bytes = encodeUtf8(text);
    const length = lengthOf(bytes);
    let size = 0;
    for (let i = 0; i < length; i++) {
      const high = bytes[i] === 0x25 && i + 2 < length ? hexDigit(bytes[i + 1]) : -1;
      const low = high >= 0 ? hexDigit(bytes[i + 2]) : -1;
      bytes[size++] = low >= 0 ? high * 16 + low : bytes[i];
      if (low >= 0) i += 2;
    }
    return decodeUtf8(firstBytes(bytes, size), false);
  };

  const decode = (encoded) => {
    const text = withSpaces(encoded);
    if (indexOf(text, '%', 0) < 0) return text;
    try {
      return decodeComponent(text);
    } catch {
      return decodeLeniently(text);
    }
  };

  const parse = (text) => {
    const pairs = emptyList();
    const { length } = text;
    let end;
    for (let start = indexOf(text, '?', 0) === 0 ? 1 : 0; start < length; start = end + 1) {
      end = indexOf(text, '&', start);
      if (end < 0) end = length;
      if (end === start) continue;
      const piece = slice(text, start, end);
      const equals = indexOf(piece, '=', 0);
      if (equals < 0) add(pairs, decode(piece), '');
      else add(pairs, decode(slice(piece, 0, equals)), decode(slice(piece, equals + 1)));
    }
    return pairs;
  };

  const serialise = (pairs) => {
    const raw = new Raw('');
    const { length } = pairs;
    for (let i = 0; i < length; i++) rawAppend(raw, pairs[i].name, pairs[i].value);
    return rawText(raw);
  };

  /* Keeps those pairs for which the test holds. */
  const keep = (pairs, test) => {
    const { length } = pairs;
    let kept = 0;
    for (let i = 0; i < length; i++) if (test(pairs[i])) pairs[kept++] = pairs[i];
    pairs.length = kept;
  };

  const assign = (pairs, name, value) => {
    let first = true;
    keep(pairs, (pair) => {
      if (pair.name !== name) return true;
      if (!first) return false;
      pair.value = value;
      first = false;
      return true;
    });
    if (first) add(pairs, name, value);
  };

  const fromIterable = (pairs, iterable) => {
    for (const item of iterable) {
      const pair = emptyList();
      if (isObject(item)) {
        for (const part of item) {
          pair[pair.length] = toWebText(part);
          if (pair.length > 2) break;
        }
      }
      if (pair.length !== 2) {
        throw typeError('URLSearchParams: each item must be a pair, an iterable of a name and a value');
      }
      add(pairs, pair[0], pair[1]);
    }
  };

  const fromRecord = (pairs, record) => {
    const keys = ownKeys(record);
    const { length } = keys;
    for (let i = 0; i < length; i++) {
      const key = keys[i];
      if (getOwnPropertyDescriptor(record, key)?.enumerable !== true) continue;
      const name = toWebText(key);
      const value = toWebText(record[key]);
      if (name === key) add(pairs, name, value);
      else assign(pairs, name, value);
    }
  };

  const parseInit = (init) => {
    if (!isObject(init)) return parse(toWebText(init));
    const pairs = emptyList();
    const iterate = init[iterator];
    if (iterate === undefined || iterate === null) fromRecord(pairs, init);
    else fromIterable(pairs, init);
    return pairs;
  };

  const need = (method, needed, given) => {
    if (given < needed) {
      throw typeError(
        `URLSearchParams.prototype.${method} needs ${needed} argument${needed > 1 ? 's' : ''}, and got ${given}`,
      );
    }
  };

  let pairsOf;
  let isParams;

  class URLSearchParamsIterator {
    #params;
    #item;
    #index = 0;

    constructor(params, item) {
      pairsOf(params); /* throws if it is something else */
      this.#params = params;
      this.#item = item;
    }

    next() {
      const pairs = pairsOf(this.#params);
      if (this.#index >= pairs.length) return { value: undefined, done: true };
      return { value: this.#item(pairs[this.#index++]), done: false };
    }
  }

  class URLSearchParams {
    #pairs;
    #url; /* that is kept up to date, if any */

    static {
      pairsOf = (params) => params.#pairs;
      isParams = (value) => #pairs in value;
      /* For URL: one that keeps a URL of the extension up to date, and how to renew it when that was changed. */
      parts.searchParamsOf = (url, search) => {
        const params = new URLSearchParams();
        params.#pairs = parse(search);
        params.#url = url;
        return params;
      };
      parts.renewSearchParams = (params, search) => {
        params.#pairs = parse(search);
      };
    }

    constructor(init = '') {
      this.#pairs = parseInit(init);
    }

    #update() {
      if (this.#url !== undefined) setSearch(this.#url, serialise(this.#pairs));
    }

    get size() {
      return this.#pairs.length;
    }

    append(name, value) {
      need('append', 2, arguments.length);
      const pairs = this.#pairs;
      add(pairs, toWebText(name), toWebText(value));
      this.#update();
    }

    delete(name, value = undefined) {
      need('delete', 1, arguments.length);
      const pairs = this.#pairs;
      const wanted = toWebText(name);
      const only = value === undefined ? undefined : toWebText(value);
      keep(pairs, (pair) => pair.name !== wanted || (only !== undefined && pair.value !== only));
      this.#update();
    }

    get(name) {
      need('get', 1, arguments.length);
      const pairs = this.#pairs;
      const wanted = toWebText(name);
      for (let i = 0; i < pairs.length; i++) if (pairs[i].name === wanted) return pairs[i].value;
      return null;
    }

    getAll(name) {
      need('getAll', 1, arguments.length);
      const pairs = this.#pairs;
      const wanted = toWebText(name);
      const values = emptyList();
      for (let i = 0; i < pairs.length; i++) {
        if (pairs[i].name === wanted) values[values.length] = pairs[i].value;
      }
      return toArray(values);
    }

    has(name, value = undefined) {
      need('has', 1, arguments.length);
      const pairs = this.#pairs;
      const wanted = toWebText(name);
      const only = value === undefined ? undefined : toWebText(value);
      for (let i = 0; i < pairs.length; i++) {
        if (pairs[i].name === wanted && (only === undefined || pairs[i].value === only)) return true;
      }
      return false;
    }

    set(name, value) {
      need('set', 2, arguments.length);
      const pairs = this.#pairs;
      assign(pairs, toWebText(name), toWebText(value));
      this.#update();
    }

    /* By code units, which is how strings compare; equal names stay in their order. */
    sort() {
      sortList(this.#pairs, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      this.#update();
    }

    toString() {
      return serialise(this.#pairs);
    }

    forEach(callback, self = undefined) {
      need('forEach', 1, arguments.length);
      if (typeof callback !== 'function') {
        throw typeError('URLSearchParams.prototype.forEach needs a function');
      }
      for (let i = 0; i < this.#pairs.length; i++) {
        const { name, value } = this.#pairs[i];
        apply(callback, self, list(value, name, this));
      }
    }

    entries() {
      return new URLSearchParamsIterator(this, ({ name, value }) => list(name, value));
    }

    keys() {
      return new URLSearchParamsIterator(this, ({ name }) => name);
    }

    values() {
      return new URLSearchParamsIterator(this, ({ value }) => value);
    }
  }

  delete URLSearchParamsIterator.prototype.constructor;
  setPrototypeOf(URLSearchParamsIterator.prototype, Iterator);
  asWebInterface(URLSearchParamsIterator, 'URLSearchParams Iterator');
  asWebInterface(URLSearchParams, 'URLSearchParams');
  hide(URLSearchParams.prototype, iterator, URLSearchParams.prototype.entries);
  hide(globalThis, 'URLSearchParams', URLSearchParams);

  parts.searchParamsPairs = (value) => (isParams(value) ? pairsOf(value) : undefined);
};
