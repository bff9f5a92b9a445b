/*
 * TextEncoder and TextDecoder, as the Encoding standard has them, for UTF-8, UTF-16 and windows-1252 (with all their
 * labels, so `latin1` and `ascii` are windows-1252). The host converts UTF-8; streams and byte order marks are ours.
 */
(parts) => {
  const {
    list,
    uncurry,
    defineGlobals,
    bytesOf,
    firstBytes,
    lengthOf,
    typedArrayName,
    typeError,
    rangeError,
  } = parts;
  const { apply } = Reflect;
  const { min } = Math;
  const { encodeUtf8, decodeUtf8 } = parts.host;
  const Bytes = Uint8Array;
  const { fromCharCode } = String;
  const toText = String;
  const codeAt = uncurry(String.prototype.charCodeAt);
  const { slice } = String.prototype;
  const trim = uncurry(String.prototype.trim);
  const lowerCase = uncurry(String.prototype.toLowerCase);

  const WINDOWS_1252_LABELS =
    'ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 ' +
    'iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252';
  const encodings = { __proto__: null };
  for (const [name, labels] of [
    ['utf-8', 'unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8'],
    ['utf-16le', 'csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le'],
    ['utf-16be', 'unicodefffe utf-16be'],
    ['windows-1252', WINDOWS_1252_LABELS],
  ]) {
    for (const label of labels.split(' ')) encodings[label] = name;
  }

  /* What 0x80 to 0x9F are in windows-1252. */
  const WINDOWS_1252_HIGH =
    '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
    '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

  const concatenate = (first, second) => {
    const all = new Bytes(first.size + lengthOf(second));
    for (let i = 0; i < first.size; i++) all[i] = first[i];
    const { size } = first;
    const length = lengthOf(second);
    for (let i = 0; i < length; i++) all[size + i] = second[i];
    return all;
  };

  /* How many bytes at the end begin a character of UTF-8 that may yet be completed. */
  const unfinishedUtf8 = (bytes, length) => {
    for (let back = 1; back <= 3 && back <= length; back++) {
      const byte = bytes[length - back];
      if (byte >= 0x80 && byte < 0xc0) continue;
      if (byte < 0xc2 || byte > 0xf4) return 0;
      if (back >= (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)) return 0;
      if (back === 1) return 1;
      const second = bytes[length - back + 1];
      const low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
      const high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
      return second >= low && second <= high ? back : 0;
    }
    return 0;
  };

  const unitAt = (bytes, index, isBig) =>
    isBig ? bytes[index] * 256 + bytes[index + 1] : bytes[index + 1] * 256 + bytes[index];

  /* How many bytes at the end begin a character of UTF-16 that may yet be completed. */
  const unfinishedUtf16 = (bytes, length, isBig) => {
    const odd = length % 2;
    if (length - odd < 2) return odd;
    const unit = unitAt(bytes, length - odd - 2, isBig);
    return unit >= 0xd800 && unit < 0xdc00 ? odd + 2 : odd;
  };

  /* undefined: malformed, and that is fatal. */
  const decodeUtf16 = (bytes, length, isBig, fatal) => {
    let text = '';
    for (let i = 0; i < length; i += 2) {
      let unit = i + 1 < length ? unitAt(bytes, i, isBig) : 0xdfff;
      if (unit >= 0xd800 && unit < 0xe000) {
        const next = unit < 0xdc00 && i + 3 < length ? unitAt(bytes, i + 2, isBig) : 0;
        if (next >= 0xdc00 && next < 0xe000) {
          text += fromCharCode(unit, next);
          i += 2;
          continue;
        }
        if (fatal) return undefined;
        unit = 0xfffd;
      }
      text += fromCharCode(unit);
    }
    return text;
  };

  const decodeWindows1252 = (bytes, length) => {
    let text = '';
    for (let i = 0; i < length; i++) {
      const byte = bytes[i];
      text += byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252_HIGH[byte - 0x80] : fromCharCode(byte);
    }
    return text;
  };

  class TextEncoder {
    get encoding() {
      return 'utf-8';
    }

    encode(text = '') {
      return encodeUtf8(toText(text));
    }

    encodeInto(text, destination) {
      const source = toText(text);
      if (typedArrayName(destination) !== 'Uint8Array') {
        throw typeError('TextEncoder.encodeInto needs a Uint8Array as its second argument');
      }
      const target = bytesOf(destination);
      const room = lengthOf(target);
      /* No more units than bytes fit, and one more shows whether the last of them begins a pair. */
      const bytes = encodeUtf8(apply(slice, source, list(0, room + 1)));
      const length = lengthOf(bytes);
      let written = min(length, room);
      while (written < length && written > 0 && (bytes[written] & 0xc0) === 0x80) written--;
      let read = 0;
      for (let i = 0; i < written; i++) {
        const byte = bytes[i];
        target[i] = byte;
        if ((byte & 0xc0) !== 0x80) read += byte >= 0xf0 ? 2 : 1;
      }
      return { read, written };
    }

    get [Symbol.toStringTag]() {
      return 'TextEncoder';
    }
  }

  const NONE = { __proto__: null, size: 0 };

  class TextDecoder {
    #encoding;
    #fatal;
    #ignoreBOM;
    #kept = NONE; /* bytes of a character that is not complete, and their number */
    #begun = false; /* the stream has had its first character */
    #streams = false;

    constructor(label = 'utf-8', options = undefined) {
      const text = toText(label);
      const encoding = encodings[lowerCase(trim(text))];
      if (encoding === undefined) throw rangeError(`TextDecoder knows no encoding '${text}'`);
      this.#encoding = encoding;
      this.#fatal = !!options?.fatal;
      this.#ignoreBOM = !!options?.ignoreBOM;
    }

    get encoding() {
      return this.#encoding;
    }

    get fatal() {
      return this.#fatal;
    }

    get ignoreBOM() {
      return this.#ignoreBOM;
    }

    decode(input = undefined, options = undefined) {
      const streams = !!options?.stream;
      if (!this.#streams) {
        this.#kept = NONE;
        this.#begun = false;
      }
      this.#streams = streams;
      let bytes = input === undefined ? new Bytes(0) : bytesOf(input);
      if (bytes === undefined) {
        throw typeError('TextDecoder.decode needs an ArrayBuffer, a typed array or a DataView');
      }
      if (this.#kept.size > 0) bytes = concatenate(this.#kept, bytes);
      let length = lengthOf(bytes);
      this.#kept = NONE;
      if (streams) {
        const size = this.#unfinished(bytes, length);
        if (size > 0) {
          const kept = { __proto__: null, size };
          for (let i = 0; i < size; i++) kept[i] = bytes[length - size + i];
          this.#kept = kept;
          length -= size;
        }
      }
      const text = this.#decode(bytes, length);
      if (text === undefined) {
        this.#streams = false;
        throw typeError(`TextDecoder.decode met bytes that are no ${this.#encoding}`);
      }
      if (this.#begun || text === '') return text;
      this.#begun = true;
      const isMarked = this.#encoding !== 'windows-1252' && codeAt(text, 0) === 0xfeff;
      return isMarked && !this.#ignoreBOM ? apply(slice, text, list(1)) : text;
    }

    #unfinished(bytes, length) {
      if (this.#encoding === 'utf-8') return unfinishedUtf8(bytes, length);
      if (this.#encoding === 'windows-1252') return 0;
      return unfinishedUtf16(bytes, length, this.#encoding === 'utf-16be');
    }

    #decode(bytes, length) {
      if (this.#encoding === 'utf-8') {
        return decodeUtf8(length === lengthOf(bytes) ? bytes : firstBytes(bytes, length), this.#fatal);
      }
      if (this.#encoding === 'windows-1252') return decodeWindows1252(bytes, length);
      return decodeUtf16(bytes, length, this.#encoding === 'utf-16be', this.#fatal);
    }

    get [Symbol.toStringTag]() {
      return 'TextDecoder';
    }
  }

  defineGlobals({ TextEncoder, TextDecoder });
};
