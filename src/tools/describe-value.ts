/** What somebody passed or threw, in the few words that an error message has for it. */
import { types } from 'node:util';

const MAX_TEXT_LENGTH = 40;

/** Numbers and short texts as they are, everything else by its kind. Never throws. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length <= MAX_TEXT_LENGTH
        ? JSON.stringify(value)
        : `${JSON.stringify(value.slice(0, MAX_TEXT_LENGTH))}…`;
    case 'bigint':
      return 'a BigInt';
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : describeObject(value);
    default:
      return String(value);
  }
}

/** The message of whatever was thrown. Never throws. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return 'what was thrown cannot be described';
  }
}

function describeObject(value: object): string {
  try {
    return kindOfObject(value);
  } catch {
    return 'an object that cannot be looked at';
  }
}

function kindOfObject(value: object): string {
  if (Array.isArray(value)) return 'an array';
  if (types.isMap(value)) return 'a Map';
  if (types.isSet(value)) return 'a Set';
  if (types.isPromise(value)) return 'a promise';
  return isPlainObject(value) ? 'an object' : 'an instance of a class';
}

/** True for `{…}`, of whatever realm, and for objects without a prototype: nothing that it has is inherited. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
