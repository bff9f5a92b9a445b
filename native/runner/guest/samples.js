/*
 * What the runner learns about the engine: one object of each kind that it tells apart, by which it finds their classes,
 * and functions that it calls itself.
 */
(parts) => {
  const { uncurry } = parts;
  const functionText = uncurry(Function.prototype.toString);

  const samples = [
    ['array', []],
    ['error', new Error()],
    ['regexp', /./],
    ['promise', Promise.resolve()],
    ['map', new Map()],
    ['set', new Set()],
    ['weak', new WeakMap(), new WeakSet(), new WeakRef({}), new FinalizationRegistry(() => {})],
    [
      'binary',
      new ArrayBuffer(1),
      new DataView(new ArrayBuffer(1)),
      new Int8Array(1),
      new Uint8Array(1),
      new Uint8ClampedArray(1),
      new Int16Array(1),
      new Uint16Array(1),
      new Int32Array(1),
      new Uint32Array(1),
      new Float32Array(1),
      new Float64Array(1),
      new BigInt64Array(1),
      new BigUint64Array(1),
    ],
    ['number', Object(1)],
    ['string', Object('')],
    ['boolean', Object(true)],
    ['unfit', Object(1n), Object(Symbol.iterator)],
    ['date', new Date(0)],
    ['exception', new DOMException()],
  ];
  if (typeof SharedArrayBuffer === 'function') samples[7].push(new SharedArrayBuffer(1));
  if (typeof Float16Array === 'function') samples[7].push(new Float16Array(1));

  parts.samples = samples;
  parts.sourceOf = (value) => functionText(value);
  parts.random = Math.random;
  parts.timeOf = uncurry(Date.prototype.getTime);
};
