/* The global `URL`, as the URL standard has it, around what the engine's extension makes of a text. */
(parts) => {
  const { uncurry, hide, typeError, toWebText, asWebInterface, searchParamsOf, renewSearchParams } = parts;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const slice = uncurry(String.prototype.slice);
  const { stringify } = JSON;

  const Raw = globalThis.URL;
  const { canParse } = Raw;
  const accessor = (key) => {
    const { get, set } = getOwnPropertyDescriptor(Raw.prototype, key);
    return { get: uncurry(get), set: set && uncurry(set) };
  };
  const href = accessor('href');
  const search = accessor('search');

  /* Parts that are just passed on. */
  const PASSED = [
    'origin',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'hash',
  ];

  /* Of a text in a message; longer ones are cut. */
  const SHOWN = 200;

  const shown = (text) => stringify(text.length > SHOWN ? `${slice(text, 0, SHOWN)}…` : text);

  const invalid = (text, advice) => {
    const error = typeError(`Invalid URL: ${shown(text)}${advice}`);
    hide(error, 'code', 'ERR_INVALID_URL');
    return error;
  };

  const adviceFor = (text, base) => {
    if (base !== undefined) return ` with the base ${shown(base)}`;
    return canParse(text, 'http://host') ? ' is relative, and needs a base as second argument' : '';
  };

  const parse = (text, base) => {
    try {
      return new Raw(text, base);
    } catch (error) {
      throw canParse(text, base) ? error : invalid(text, adviceFor(text, base));
    }
  };

  const texts = (url, base) => ({
    __proto__: null,
    url: toWebText(url),
    base: base === undefined ? base : toWebText(base),
  });

  let hrefOf;

  class URL {
    #raw;
    #params; /* from when they are first asked for */

    static {
      hrefOf = (value) => (#raw in value ? href.get(value.#raw) : undefined);

      for (const key of PASSED) {
        const { get, set } = accessor(key);
        const property = {
          get [key]() {
            return get(this.#raw);
          },
          set [key](value) {
            set(this.#raw, toWebText(value));
          },
        };
        const descriptor = getOwnPropertyDescriptor(property, key);
        if (set === undefined) descriptor.set = undefined;
        defineProperty(URL.prototype, key, descriptor);
      }
    }

    static canParse(url, base = undefined) {
      const given = texts(url, base);
      return canParse(given.url, given.base);
    }

    static parse(url, base = undefined) {
      const given = texts(url, base);
      return canParse(given.url, given.base) ? new URL(given.url, given.base) : null;
    }

    constructor(url, base = undefined) {
      const given = texts(url, base);
      this.#raw = parse(given.url, given.base);
    }

    get href() {
      return href.get(this.#raw);
    }
    set href(value) {
      const raw = this.#raw;
      const text = toWebText(value);
      if (!canParse(text)) throw invalid(text, ' cannot be assigned to href');
      href.set(raw, text);
      if (this.#params !== undefined) renewSearchParams(this.#params, search.get(raw));
    }

    get search() {
      return search.get(this.#raw);
    }
    set search(value) {
      const text = toWebText(value);
      search.set(this.#raw, text);
      /* By the standard of the text itself: it may have line breaks, which the URL drops. */
      renewSearchParams(this.searchParams, text);
    }

    get searchParams() {
      const raw = this.#raw;
      this.#params ??= searchParamsOf(raw, search.get(raw));
      return this.#params;
    }

    toString() {
      return href.get(this.#raw);
    }

    toJSON() {
      return href.get(this.#raw);
    }
  }

  asWebInterface(URL, 'URL');
  hide(globalThis, 'URL', URL);
  parts.urlHref = hrefOf;
};
