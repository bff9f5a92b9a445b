/** What a probe said of each attempt, as one cell of a table. */
import type { Ends } from '../support/command-host.js';

/** `{ a: 'EFAULT', b: 'EFAULT' }` as "EFAULT"; where ends differ, each with what it is of. */
export function inWords(ends: Ends): string {
  const names = new Map<string, string[]>();
  for (const [name, end] of Object.entries(ends)) names.set(`${end}`, [...(names.get(`${end}`) ?? []), name]);
  const [only] = names.keys();
  if (names.size === 1 && only !== undefined) return only;
  return [...names].map(([end, of]) => `${end}: ${of.join(', ')}`).join('; ');
}
