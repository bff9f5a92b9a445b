/* The global `crypto`: getRandomValues and randomUUID. The bytes come from the host. */
(parts) => {
  const { hide, bytesOf, lengthOf, typedArrayName } = parts;
  const { randomBytes } = parts.host;
  const Bytes = Uint8Array;
  const Exception = DOMException;
  const HEX = '0123456789abcdef';
  const BYTES_MAXIMUM = 65_536;

  const isIntegers = (name) =>
    name !== undefined && name !== 'Float16Array' && name !== 'Float32Array' && name !== 'Float64Array';

  const crypto = {
    getRandomValues(array) {
      if (!isIntegers(typedArrayName(array))) {
        throw new Exception('crypto.getRandomValues needs a typed array of integers', 'TypeMismatchError');
      }
      const bytes = bytesOf(array);
      const length = lengthOf(bytes);
      if (length > BYTES_MAXIMUM) {
        throw new Exception(
          `crypto.getRandomValues gives at most ${BYTES_MAXIMUM} bytes at once, not ${length}`,
          'QuotaExceededError',
        );
      }
      randomBytes(bytes);
      return array;
    },

    randomUUID() {
      const bytes = new Bytes(16);
      randomBytes(bytes);
      bytes[6] = (bytes[6] & 0x0f) | 0x40; /* version 4 */
      bytes[8] = (bytes[8] & 0x3f) | 0x80; /* the variant of RFC 9562 */
      let text = '';
      for (let i = 0; i < 16; i++) {
        if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
        text += HEX[bytes[i] >> 4] + HEX[bytes[i] & 15];
      }
      return text;
    },
  };
  Object.defineProperty(crypto, Symbol.toStringTag, { value: 'Crypto', configurable: true });
  hide(globalThis, 'crypto', crypto);
};
