/** One JSON value as the TypeScript type that has it alone. */
import { isMembers } from './json-members.js';
import { propertyName, quoted } from './typescript-text.js';

/** Deepest nesting that is written. */
const MAX_DEPTH = 16;

/** `depth`: of the value in what is written; deeper than 16 is `unknown`. */
export function literal(value: unknown, depth: number): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'number';
  if (depth > MAX_DEPTH) return 'unknown';
  if (Array.isArray(value)) return `[${value.map((element) => literal(element, depth + 1)).join(', ')}]`;
  if (!isMembers(value)) return 'unknown';
  const members = Object.entries(value).map(
    ([name, one]) => `${propertyName(name)}: ${literal(one, depth + 1)}`,
  );
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`;
}
