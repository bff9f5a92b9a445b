/* Binary data, whatever a program makes of its constructors and prototypes: what others need to know of a value. */
(parts) => {
  const { getter } = parts;
  const Bytes = Uint8Array;
  const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
  const name = getter(TypedArrayPrototype, Symbol.toStringTag);
  const arrayBuffer = getter(TypedArrayPrototype, 'buffer');
  const arrayOffset = getter(TypedArrayPrototype, 'byteOffset');
  const arrayBytes = getter(TypedArrayPrototype, 'byteLength');
  const viewBuffer = getter(DataView.prototype, 'buffer');
  const viewOffset = getter(DataView.prototype, 'byteOffset');
  const viewBytes = getter(DataView.prototype, 'byteLength');
  const bufferBytes = getter(ArrayBuffer.prototype, 'byteLength');

  /* 'Uint8Array' and so on; undefined for what is no typed array. */
  const typedArrayName = (value) => (typeof value === 'object' && value !== null ? name(value) : undefined);

  const attempt = (read, value) => {
    try {
      return read(value);
    } catch {
      return undefined;
    }
  };

  const isArrayBuffer = (value) => attempt(bufferBytes, value) !== undefined;
  const isDataView = (value) => attempt(viewBuffer, value) !== undefined;

  /* The bytes of a typed array, DataView or ArrayBuffer, in place; undefined for everything else. */
  const bytesOf = (value) => {
    if (typedArrayName(value) !== undefined) {
      return new Bytes(arrayBuffer(value), arrayOffset(value), arrayBytes(value));
    }
    if (isDataView(value)) return new Bytes(viewBuffer(value), viewOffset(value), viewBytes(value));
    return isArrayBuffer(value) ? new Bytes(value) : undefined;
  };

  /* Of a Uint8Array, in place. */
  const firstBytes = (bytes, length) => new Bytes(arrayBuffer(bytes), arrayOffset(bytes), length);

  /* Elements of a typed array. */
  const lengthOf = getter(TypedArrayPrototype, 'length');

  parts.lengthOf = lengthOf;
  parts.typedArrayName = typedArrayName;
  parts.isArrayBuffer = isArrayBuffer;
  parts.isDataView = isDataView;
  parts.bytesOf = bytesOf;
  parts.firstBytes = firstBytes;
  parts.view = { __proto__: null, arrayBuffer, arrayOffset, arrayBytes, viewBuffer, viewOffset, viewBytes };
};
