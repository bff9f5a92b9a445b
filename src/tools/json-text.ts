/**
 * A handler's value to JSON text, refusing what JSON.stringify would quietly lose: NaN, functions, Maps and the like.
 * Every refusal names the place, as in `$.items[3].total`.
 *
 * Nearly all values are plain, so one cheap walk looks whether JSON.stringify would do them justice; only what is not
 * plain is rebuilt, part by part, before it is written. Either walk ends where the text would be too long for sure: a program may
 * choose how much its tool gives, and what nobody will have is not to be written first.
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

/** A value whose text would be longer than it may be. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** One level below the deepest that a frame may have: the value is a member of the frame. */
const MAX_LEVELS = 511;

type Key = string | number;

/** What the text may still have, at least: each character of a string, and two for each element (itself, and a comma) or member. */
interface Room {
  left: number;
}

/**
 * JSON text without newlines; `undefined` is written as null. Throws NotJson, TooLong if the text has more than `mostBytes` of UTF-8 for
 * sure (who is near that must still be counted), and what a `toJSON` of the value throws.
 */
export function toJsonText(value: unknown, mostBytes = Number.POSITIVE_INFINITY): string {
  if (value === undefined) return 'null';
  const plain = isPlainAsRead(value, { left: mostBytes })
    ? value
    : (rebuild(value, [], new Set(), false, { left: mostBytes }) ?? null);
  return JSON.stringify(plain);
}

function isPlainAsRead(value: unknown, room: Room): boolean {
  try {
    return isPlain(value, MAX_LEVELS, room);
  } catch (error) {
    if (error instanceof TooLong) throw error;
    // A getter, or a trap of a proxy: rebuilding the value finds the place.
    return false;
  }
}

function take(room: Room, bytes: number): void {
  room.left -= bytes;
  if (room.left < 0) throw new TooLong('the text of the value is too long');
}

/** True when JSON.stringify writes this value without losing anything. Cycles end at the bound of levels. */
function isPlain(value: unknown, levels: number, room: Room): boolean {
  switch (typeof value) {
    case 'string':
      take(room, value.length);
      return true;
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
    take(room, 2 * value.length);
    for (const element of value) {
      if (!isPlain(element, levels - 1, room)) return false;
    }
    return !('toJSON' in value);
  }
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) take(room, key.length + 2);
    if (!isPlain(member, levels - 1, room)) return false;
  }
  return true;
}

/**
 * A plain copy of `value`, or NotJson. `parents`: the objects that this value is inside of. `isReplacement`: it came out of
 * a toJSON, which is asked once at most.
 */
function rebuild(
  value: unknown,
  path: Key[],
  parents: Set<object>,
  isReplacement: boolean,
  room: Room,
): unknown {
  if (typeof value !== 'object' || value === null) return primitive(value, path, room);
  refuseUnfaithful(value, path);
  if (types.isNativeError(value) || inherits(value, Error)) return errorMembers(value as Error, path, room);
  if (!isReplacement) {
    const toJSON = read(value, 'toJSON', path, 'has a toJSON that cannot be read');
    if (typeof toJSON === 'function') {
      return rebuild(toJSON.call(value, String(path.at(-1) ?? '')), path, parents, true, room);
    }
  }
  const advice = noDataAdvice(value);
  if (advice !== undefined) throw refused(path, `is ${advice}`);
  if (types.isDate(value)) return primitive(Date.prototype.toISOString.call(value), path, room);
  if (types.isBoxedPrimitive(value)) return primitive(unboxed(value, path), path, room);
  if (parents.has(value)) throw refused(path, 'is a reference to an object that contains it');
  if (parents.size === MAX_LEVELS) throw refused(path, `is nested deeper than ${MAX_LEVELS} levels`);
  parents.add(value);
  const copy = Array.isArray(value)
    ? elements(value, path, parents, room)
    : members(value, path, parents, room);
  parents.delete(value);
  return copy;
}

function primitive(value: unknown, path: Key[], room: Room): unknown {
  switch (typeof value) {
    case 'string':
      take(room, value.length);
      return value;
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

function elements(array: unknown[], path: Key[], parents: Set<object>, room: Room): unknown[] {
  const copy: unknown[] = [];
  const length = read(array, 'length', path, 'has a length that cannot be read') as number;
  take(room, 2 * length);
  for (let index = 0; index < length; index++) {
    path.push(index);
    copy.push(rebuild(read(array, index, path, GETTER), path, parents, false, room));
    path.pop();
  }
  return copy;
}

function members(object: object, path: Key[], parents: Set<object>, room: Room): Record<string, unknown> {
  // Without a prototype, `__proto__` is a key like any other.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of keysOf(object, path)) {
    path.push(key);
    copy[key] = rebuild(read(object, key, path, GETTER), path, parents, false, room);
    if (copy[key] !== undefined) take(room, key.length + 2);
    path.pop();
  }
  return copy;
}

function errorMembers(error: Error, path: Key[], room: Room): { name: string; message: string } {
  let members: { name: string; message: string };
  try {
    members = { name: String(error.name), message: String(error.message) };
  } catch (cause) {
    throw refused(path, 'is an Error whose name or message cannot be read', { cause });
  }
  take(room, members.name.length + members.message.length);
  return members;
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
