/** JSON values, with everything that JSON allows and people forget: keys like `__proto__`, lone surrogates, extreme numbers. */
import fc from 'fast-check';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const awkwardTexts = fc.constantFrom(
  '__proto__',
  'constructor',
  'toJSON',
  'then',
  'length',
  '0',
  '-0',
  '4294967295',
  '',
  '\0',
  '\u2028\u2029',
  '\ud800',
  '\udc00\ud800',
  '😀',
  '\ufeff',
  '"\\\b\f\n\r\t/',
  '\x7f\x80',
);

/** Any sequence of UTF-16 code units. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

export const jsonText = fc.oneof(awkwardTexts, anyUnits, fc.string({ unit: 'grapheme' }));

const jsonNumber = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    Number.MIN_VALUE,
    2.2250738585072014e-308,
    Number.MAX_SAFE_INTEGER,
    2 ** 53 + 2,
    2 ** 31,
    -(2 ** 31),
    2 ** 32 - 1,
    1e21,
    1e-7,
    0.1 + 0.2,
    5e-324,
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Own members, `__proto__` among them. */
const asObject = (members: [string, Json][]): Json => Object.fromEntries(members);

export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.oneof(fc.constantFrom(null, true, false), jsonNumber, jsonText),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(jsonText, tie('value')), { maxLength: 6 }).map(asObject),
  ),
})).value;

/** The value as it is after one way through JSON: -0 is 0, and nothing else differs. */
export const asCarried = (value: Json): Json => JSON.parse(JSON.stringify(value));
