/** One text for one JSON value, however its members were ordered: what digests of arguments are made of. */
import { hash } from 'node:crypto';

/**
 * SHA-256, in hexadecimal, of the value written with its keys sorted by UTF-16 code units and no spaces. `value` is
 * parsed JSON, nested no deeper than a frame may be.
 */
export function canonicalDigest(value: unknown): string {
  return hash('sha256', canonicalText(value), 'hex');
}

export function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText((value as Record<string, unknown>)[key])}`);
  return `{${members.join(',')}}`;
}
