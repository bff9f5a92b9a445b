/** Values that contain themselves, which have no end for whoever looks at all of them. Must not know what they are for. */

/** Whether an object or array leads back to itself; one that is there several times does not. */
export function hasCycle(value: unknown): boolean {
  return leadsBack(value, new Set(), new Set());
}

/** `above`: what contains `value`. `done`: what is known to have no cycle. */
function leadsBack(value: unknown, above: Set<object>, done: Set<object>): boolean {
  if (typeof value !== 'object' || value === null || done.has(value)) return false;
  if (above.has(value)) return true;
  above.add(value);
  if (Object.values(value).some((member) => leadsBack(member, above, done))) return true;
  above.delete(value);
  done.add(value);
  return false;
}
