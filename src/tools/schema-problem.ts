/** What is wrong with a value by its schema, and how that is told: bounded, since programs decide how much is wrong. */
import { pathText, type ValuePath } from './value-path.js';

export interface ValueProblem {
  path: ValuePath;
  /** As in `must be number`. */
  message: string;
}

/** What a check came to: the schema's own output, or what is wrong, with at least one problem. */
export type Checked = { ok: true; value: unknown } | { ok: false; problems: readonly ValueProblem[] };

const MAX_PROBLEMS = 5;
const MAX_MESSAGE_LENGTH = 240;

/** As in `$.id: is required; $.amount: must be number; and 3 more`. */
export function problemsText(problems: readonly ValueProblem[]): string {
  const texts = problems.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const short =
      message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
    return `${pathText(path)}: ${short}`;
  });
  if (problems.length > MAX_PROBLEMS) texts.push(`and ${problems.length - MAX_PROBLEMS} more`);
  return texts.join('; ');
}

/** A value that does not fit its schema: what records keep of it. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';

  constructor(readonly problems: readonly ValueProblem[]) {
    super(problemsText(problems));
  }
}
