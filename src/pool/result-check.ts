/** The `resultSchema` option: what becomes of a value that a program returned. Every check ends. */
import type { SchemaCheck } from '../tools/schema-check.js';
import { type Checked, problemsText } from '../tools/schema-problem.js';
import { pathText } from '../tools/value-path.js';
import type { RunError } from './run-result.js';

export type CheckedResult = { ok: true; value: unknown } | { ok: false; error: RunError };

/** Resolves within `timeoutMs`; does not reject. `onFailure`: the schema itself failed. */
export async function checkResult(
  schema: SchemaCheck,
  value: unknown,
  timeoutMs: number,
  onFailure: (error: unknown) => void,
): Promise<CheckedResult> {
  try {
    const checked = await inTime(schema, value, timeoutMs);
    if (checked.ok) return { ok: true, value: checked.value };
    return { ok: false, error: mismatch(checked.problems) };
  } catch (cause) {
    onFailure(cause);
    const message = 'resultSchema could not check the result: it failed itself.';
    return { ok: false, error: { kind: 'internal', code: 'RESULT_SCHEMA_FAILED', message } };
  }
}

function mismatch(problems: Extract<Checked, { ok: false }>['problems']): RunError {
  return {
    kind: 'result',
    code: 'RESULT_INVALID',
    message: `The result does not fit resultSchema: ${problemsText(problems)}.`,
    path: pathText(problems[0]?.path ?? []),
    hint: 'Return a value of the shape that was asked for.',
  };
}

async function inTime(schema: SchemaCheck, value: unknown, timeoutMs: number): Promise<Checked> {
  const checked = schema.check(value);
  if (!('then' in checked)) return checked;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`resultSchema did not settle within ${timeoutMs} ms`);
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    return await Promise.race([checked, late]);
  } finally {
    clearTimeout(timer);
  }
}
