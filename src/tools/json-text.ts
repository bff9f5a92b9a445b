/**
 * A handler's value to JSON text, refusing what JSON.stringify would quietly lose: NaN, functions, Maps and the like.
 * Every refusal names the place, as in `$.items[3].total`.
 *
 * Nearly all values are plain, so one cheap walk looks whether JSON.stringify would do them justice; only what is not
 * plain is rebuilt, part by part, before it is written.
 */
import { types } from 'node:util';
import { noDataAdvice } from './no-data.js';
import { pathText } from './value-path.js';

/** A value that JSON cannot carry. */
export class NotJson extends Error {
  override readonly name = 'NotJson';

  constructor(
    /** Where in the value, from `$`. */
    readonly path: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${path} ${reason}`, options);
  }
}

/** One level below the deepest that a frame may have: the value is a member of the frame. */
const MAX_LEVELS = 511;

type Key = string | number;

/**
 * JSON text without newlines; `undefined` is written as null. Throws NotJson, and what a `toJSON` of the value throws.
 */
export function toJsonText(value: unknown): string {
  if (value === undefined) return 'null';
  return JSON.stringify(isPlainAsRead(value) ? value : (rebuild(value, [], new Set(), false) ?? null));
}

function isPlainAsRead(value: unknown): boolean {
  try {
    return isPlain(value, MAX_LEVELS);
  } catch {
    // A getter, or a trap of a proxy: rebuilding the value finds the place.
    return false;
  }
}

/** True when JSON.stringify writes this value without losing anything. Cycles end at the bound of levels. */
function isPlain(value: unknown, levels: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'undefined':
      return true;
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const element of value) {
      if (!isPlain(element, levels - 1)) return false;
    }
    return !('toJSON' in value);
  }
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false;
  for (const key in value) {
    if (!isPlain((value as Record<string, unknown>)[key], levels - 1)) return false;
  }
  return true;
}

/**
 * A plain copy of `value`, or NotJson. `parents`: the objects that this value is inside of. `isReplacement`: it came out of
 * a toJSON, which is asked once at most.
 */
function rebuild(value: unknown, path: Key[], parents: Set<object>, isReplacement: boolean): unknown {
  if (typeof value !== 'object' || value === null) return primitive(value, path);
  refuseUnfaithful(value, path);
  if (types.isNativeError(value) || inherits(value, Error)) return errorMembers(value as Error, path);
  if (!isReplacement) {
    const toJSON = read(value, 'toJSON', path, 'has a toJSON that cannot be read');
    if (typeof toJSON === 'function') {
      return rebuild(toJSON.call(value, String(path.at(-1) ?? '')), path, parents, true);
    }
  }
  const advice = noDataAdvice(value);
  if (advice !== undefined) throw refused(path, `is ${advice}`);
  if (types.isDate(value)) return Date.prototype.toISOString.call(value);
  if (types.isBoxedPrimitive(value)) return primitive(unboxed(value, path), path);
  if (parents.has(value)) throw refused(path, 'is a reference to an object that contains it');
  if (parents.size === MAX_LEVELS) throw refused(path, `is nested deeper than ${MAX_LEVELS} levels`);
  parents.add(value);
  const copy = Array.isArray(value) ? elements(value, path, parents) : members(value, path, parents);
  parents.delete(value);
  return copy;
}

function primitive(value: unknown, path: Key[]): unknown {
  switch (typeof value) {
    case 'number':
      if (Number.isFinite(value)) return value;
      throw refused(path, `is ${value}, which JSON does not have`);
    case 'bigint':
      throw refused(path, 'is a BigInt: convert it to a number or a string');
    case 'symbol':
      throw refused(path, 'is a symbol');
    case 'function':
      throw refused(path, 'is a function');
    default:
      return value;
  }
}

function elements(array: unknown[], path: Key[], parents: Set<object>): unknown[] {
  const copy: unknown[] = [];
  const length = read(array, 'length', path, 'has a length that cannot be read') as number;
  for (let index = 0; index < length; index++) {
    path.push(index);
    copy.push(rebuild(read(array, index, path, GETTER), path, parents, false));
    path.pop();
  }
  return copy;
}

function members(object: object, path: Key[], parents: Set<object>): Record<string, unknown> {
  // Without a prototype, `__proto__` is a key like any other.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of keysOf(object, path)) {
    path.push(key);
    copy[key] = rebuild(read(object, key, path, GETTER), path, parents, false);
    path.pop();
  }
  return copy;
}

function errorMembers(error: Error, path: Key[]): { name: string; message: string } {
  try {
    return { name: String(error.name), message: String(error.message) };
  } catch (cause) {
    throw refused(path, 'is an Error whose name or message cannot be read', { cause });
  }
}

/** As JSON.stringify converts them. */
function unboxed(value: object, path: Key[]): unknown {
  try {
    if (types.isNumberObject(value)) return Number(value);
    if (types.isStringObject(value)) return String(value);
  } catch (cause) {
    throw refused(path, 'cannot be converted to its primitive', { cause });
  }
  if (types.isBooleanObject(value)) return Boolean.prototype.valueOf.call(value);
  throw refused(path, `is an object around a ${types.isSymbolObject(value) ? 'symbol' : 'BigInt'}`);
}

const GETTER = 'has a getter that threw';

/** What a getter throws is not told to programs: it is the `cause`. */
function read(object: object, key: Key, path: Key[], reason: string): unknown {
  try {
    return (object as Record<Key, unknown>)[key];
  } catch (cause) {
    throw refused(path, reason, { cause });
  }
}

function keysOf(object: object, path: Key[]): string[] {
  try {
    return Object.keys(object);
  } catch (cause) {
    throw refused(path, 'has properties that cannot be listed', { cause });
  }
}

/** Objects that would turn into something else, even where they have a toJSON: a Buffer into its bytes as numbers. */
function refuseUnfaithful(value: object, path: Key[]): void {
  if (types.isPromise(value)) throw refused(path, 'is a promise: await it');
  if (types.isMap(value)) throw refused(path, 'is a Map: convert it with Object.fromEntries()');
  if (types.isSet(value)) throw refused(path, 'is a Set: convert it with Array.from()');
  if (types.isWeakMap(value) || types.isWeakSet(value) || inherits(value, WeakRef)) {
    throw refused(path, 'is a weak reference or collection');
  }
  if (types.isRegExp(value)) throw refused(path, 'is a regular expression: use its source');
  if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) {
    throw refused(path, 'is binary data: convert it to a string or to an array of numbers');
  }
  if (types.isDate(value) && Number.isNaN(Date.prototype.getTime.call(value))) {
    throw refused(path, 'is an invalid Date');
  }
}

/** `instanceof`, for objects that may be revoked proxies: those are found when their members are read. */
function inherits(value: object, type: typeof Error | typeof WeakRef): boolean {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

function refused(path: readonly Key[], reason: string, options?: ErrorOptions): NotJson {
  return new NotJson(pathText(path), reason, options);
}
