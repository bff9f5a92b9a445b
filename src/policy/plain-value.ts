/**
 * An object that somebody passed, as the plain data that its JSON text would have; a copy, read once. Whatever JSON text cannot
 * hold is refused instead of being left out: what is checked must be all that there is. Knows nothing of policies.
 */
import { types } from 'node:util';
import { memberPath } from './describe.js';
import { PolicyError } from './errors.js';
import { MAX_NESTING } from './policy.js';

/**
 * Throws PolicyError, which names the member, or the whole by `name`. Calls no code of the object: no getter, no toJSON, no proxy.
 */
export function plainCopy(value: unknown, name = 'the policy'): unknown {
  try {
    return copy(value, []);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    const where = memberPath(error.path);
    throw new PolicyError(`${where === '' ? name : where} ${error.problem}`, where || undefined);
  }
}

class NotPlain extends Error {
  constructor(
    readonly path: readonly PropertyKey[],
    readonly problem: string,
  ) {
    super(problem);
  }
}

function copy(value: unknown, path: readonly PropertyKey[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      return refuse(path, `is ${value}, which JSON does not have`);
    case 'object':
      return value === null ? null : copyObject(value, path);
    case 'undefined':
      return refuse(
        path,
        path.length === 0
          ? 'is undefined: pass an object or JSON text'
          : 'is undefined: leave it out, or give it a value',
      );
    default:
      return refuse(path, `is a ${typeof value}, which JSON does not have`);
  }
}

function copyObject(object: object, path: readonly PropertyKey[]): unknown {
  if (path.length >= MAX_NESTING) {
    return refuse(
      path.slice(0, 3),
      `has more than ${MAX_NESTING} levels of objects and arrays, or contains itself`,
    );
  }
  if (types.isProxy(object)) return refuse(path, 'is a Proxy: pass a plain object');
  return Array.isArray(object) ? copyArray(object, path) : copyMembers(object, path);
}

function copyArray(array: readonly unknown[], path: readonly PropertyKey[]): unknown[] {
  const keys = Reflect.ownKeys(array);
  // The elements, and `length`.
  if (keys.length !== array.length + 1) {
    return refuse(path, 'is an array with holes, or with members of other names: pass a plain array');
  }
  return Array.from({ length: array.length }, (_, index) => {
    const place = [...path, index];
    return copy(dataOf(array, String(index), place), place);
  });
}

function copyMembers(object: object, path: readonly PropertyKey[]): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && (types.isProxy(prototype) || Object.getPrototypeOf(prototype) !== null)) {
    return refuse(path, 'is an instance of a class: pass a plain object');
  }
  const members: [string, unknown][] = [];
  for (const key of Reflect.ownKeys(object)) {
    const place = [...path, key];
    if (typeof key === 'symbol') return refuse(place, 'has a symbol as its key, which JSON does not have');
    members.push([key, copy(dataOf(object, key, place), place)]);
  }
  return Object.fromEntries(members);
}

function dataOf(object: object, key: string, path: readonly PropertyKey[]): unknown {
  const property = Object.getOwnPropertyDescriptor(object, key);
  if (property === undefined) return refuse(path, 'is missing: pass a plain array');
  if (!('value' in property)) return refuse(path, 'is a getter: pass its value');
  if (property.enumerable !== true) return refuse(path, 'is not enumerable: pass a plain object');
  return property.value;
}

function refuse(path: readonly PropertyKey[], problem: string): never {
  throw new NotPlain(path, problem);
}
