/** What is a JSON object in a schema, or a value of one. */
import { isPlainObject } from './describe-value.js';

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value);
}
