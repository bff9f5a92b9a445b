/**
 * What to do about a failure, in a sentence or two that a model can act on; nothing where there is nothing to say. The
 * causes are tables, one file for each kind of them; the first row that fits is the hint.
 */

import type { Failure, FailureContext } from './failure.js';
import { kindHint } from './kinds.js';
import { nameHint } from './names.js';
import { syntaxHint } from './syntax.js';
import { toolErrorHint } from './tool-errors.js';
import { valueHint } from './values.js';

export type { Failure } from './failure.js';

export function hintFor(failure: Failure, context: FailureContext): string | undefined {
  try {
    return specificHint(failure, context) ?? kindHint(failure, context);
  } catch (error) {
    // The program is nested so deeply that it cannot be walked through.
    if (error instanceof RangeError) return kindHint(failure, context);
    throw error;
  }
}

function specificHint(failure: Failure, context: FailureContext): string | undefined {
  if (failure.kind !== 'javascript') return undefined;
  return (
    toolErrorHint(failure) ??
    nameHint(failure, context) ??
    syntaxHint(failure, context) ??
    valueHint(failure, context)
  );
}
