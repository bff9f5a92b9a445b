/**
 * A handler's value to JSON text, refusing what JSON.stringify would quietly lose: NaN, functions, Maps and the like.
 * Every refusal names the place, as in `$.items[3].total`.
 *
 * Nearly all values are plain, so one cheap walk looks whether JSON.stringify would do them justice; only what is not
 * plain is rebuilt, part by part, before it is written.
 */
import { types } from 'node:util';

/** A value that JSON cannot carry. */
export class NotJson extends Error {
  override readonly name = 'NotJson';

  constructor(
    /** Where in the value, from `$`. */
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${path} is ${reason}`);
  }
}

/** One level below the deepest that a frame may have: the value is a member of the frame. */
const MAX_LEVELS = 511;

type Key = string | number;

/** JSON text without newlines; `undefined` is written as null. Throws NotJson, and what a `toJSON` or getter throws. */
export function toJsonText(value: unknown): string {
  if (value === undefined) return 'null';
  return JSON.stringify(isPlain(value, MAX_LEVELS) ? value : (rebuild(value, [], new Set()) ?? null));
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

/** A plain copy of `value`, or NotJson. `parents`: the objects that this value is inside of. */
function rebuild(value: unknown, path: Key[], parents: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return primitive(value, path);
  refuseUnfaithful(value, path);
  if (parents.has(value)) throw refused(path, 'a reference to an object that contains it');
  if (parents.size === MAX_LEVELS) throw refused(path, `nested deeper than ${MAX_LEVELS} levels`);
  parents.add(value);
  const copy = rebuildObject(value, path, parents);
  parents.delete(value);
  return copy;
}

function primitive(value: unknown, path: Key[]): unknown {
  switch (typeof value) {
    case 'number':
      if (Number.isFinite(value)) return value;
      throw refused(path, `${value}, which JSON does not have`);
    case 'bigint':
      throw refused(path, 'a BigInt: convert it to a number or a string');
    case 'symbol':
      throw refused(path, 'a symbol');
    case 'function':
      throw refused(path, 'a function');
    default:
      return value;
  }
}

function rebuildObject(value: object, path: Key[], parents: Set<object>): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') {
    const replacement: unknown = toJSON.call(value, String(path.at(-1) ?? ''));
    // Called once: what it returned is taken as it is, as JSON.stringify does.
    return typeof replacement === 'object' && replacement !== null
      ? rebuildMembers(replacement, path, parents)
      : rebuild(replacement, path, parents);
  }
  if (types.isBoxedPrimitive(value)) return rebuild(value.valueOf(), path, parents);
  if (types.isNativeError(value)) return { name: String(value.name), message: String(value.message) };
  return rebuildMembers(value, path, parents);
}

function rebuildMembers(value: object, path: Key[], parents: Set<object>): unknown {
  if (Array.isArray(value)) {
    return Array.from(value, (element: unknown, index) => {
      path.push(index);
      const copy = rebuild(element, path, parents);
      path.pop();
      return copy;
    });
  }
  // Without a prototype, `__proto__` is a key like any other.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    path.push(key);
    copy[key] = rebuild((value as Record<string, unknown>)[key], path, parents);
    path.pop();
  }
  return copy;
}

/** Objects that would turn into something else, even where they have a toJSON: a Buffer into its bytes as numbers. */
function refuseUnfaithful(value: object, path: Key[]): void {
  if (types.isPromise(value)) throw refused(path, 'a promise: await it');
  if (types.isMap(value)) throw refused(path, 'a Map: convert it with Object.fromEntries()');
  if (types.isSet(value)) throw refused(path, 'a Set: convert it with Array.from()');
  if (types.isWeakMap(value) || types.isWeakSet(value)) throw refused(path, 'a weak collection');
  if (types.isRegExp(value)) throw refused(path, 'a regular expression: use its source');
  if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) {
    throw refused(path, 'binary data: convert it to a string or to an array of numbers');
  }
  if (types.isDate(value) && Number.isNaN(value.getTime())) throw refused(path, 'an invalid Date');
}

function refused(path: readonly Key[], reason: string): NotJson {
  let text = '$';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }
  return new NotJson(text, reason);
}
