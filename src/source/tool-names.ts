/** The tools of a run, as a hint shows them to a model: bounded, and written so that they can be copied. */
import { distance } from 'fastest-levenshtein';

const MAX_SHOWN = 12;
const MAX_LENGTH = 400;

/** `tools.name`, or `tools['a-b']` for a name that is no identifier. */
export function toolExpression(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name)
    ? `tools.${name}`
    : `tools['${name.replace(/[\\']/g, '\\$&').replace(/[\n\r\u2028\u2029]/g, ' ')}']`;
}

/** A sentence that says which tools there are. */
export function toolList(names: readonly string[]): string {
  if (names.length === 0) return 'This run has no tools.';
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    const expression = toolExpression(name);
    length += expression.length + 2;
    if (shown.length === MAX_SHOWN || length > MAX_LENGTH) break;
    shown.push(expression);
  }
  if (shown.length === 0) return `There are ${names.length} tools: see Object.keys(tools).`;
  const rest = names.length - shown.length;
  return `Tools: ${shown.join(', ')}${rest > 0 ? `, and ${rest} more (Object.keys(tools))` : ''}.`;
}

/** The tools that may be meant by a name that is none, the nearest first; at most three. */
export function nearestTools(wanted: string, names: readonly string[]): string[] {
  const plain = plainName(wanted);
  return names
    .map((name) => ({ name, score: dissimilarity(plain, plainName(name)) }))
    .filter(({ score }) => score <= 0.4)
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** 0 for the same name but for case and separators, 1 for nothing in common. */
function dissimilarity(wanted: string, name: string): number {
  if (wanted === name) return 0;
  const [shorter, longer] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  if (shorter.length >= 3 && longer.includes(shorter)) return 0.3;
  return distance(wanted, name) / Math.max(longer.length, 1);
}

function plainName(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
