/** One question to the guest: a program, and that it must give `true`. */
export interface Feature {
  /** The year of the edition that brought it, or 'proposal'. */
  edition: string;
  /** What belongs together. */
  group: string;
  name: string;
  code: string;
}

/** Features of one edition, as a table of names and programs. */
export function edition(year: string, groups: Record<string, Record<string, string>>): Feature[] {
  return Object.entries(groups).flatMap(([group, programs]) =>
    Object.entries(programs).map(([name, code]) => ({ edition: year, group, name, code })),
  );
}

/** Whether a function of that name is there: enough where nobody gets it half right. */
export function exists(...expressions: string[]): string {
  return `return ${expressions.map((expression) => `typeof ${expression} === 'function'`).join(' && ')};`;
}
