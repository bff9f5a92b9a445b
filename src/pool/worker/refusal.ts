/**
 * Programs that are refused before they run: by their text alone, or because they do not fit in a frame. Nothing of them
 * reaches a sandbox; one is used up all the same, so that every result has a receipt of the same worth.
 */
import { frameBytes } from '../../bridge/encode.js';
import { explainRefusal } from '../../source/explain.js';
import type { Reading } from '../../source/reading.js';
import type { Limits } from '../limits.js';
import type { RunTask } from '../messages.js';
import type { RunError } from '../run-result.js';

function isTooLarge(code: string, { maxCodeBytes }: Limits): boolean {
  // A string has at least one byte of UTF-8 for each of its code units, and at most three.
  return (
    code.length > maxCodeBytes || (code.length * 3 > maxCodeBytes && Buffer.byteLength(code) > maxCodeBytes)
  );
}

/** Why this text is not run; undefined when it is. */
export function refusalOfText({ code, limits, toolNames }: RunTask, reading: Reading): RunError | undefined {
  if (isTooLarge(code, limits)) {
    return {
      kind: 'limit',
      code: 'CODE_TOO_LARGE',
      message: `The program is longer than ${limits.maxCodeBytes} bytes, which is maxCodeBytes.`,
      hint: 'Write a shorter program; get large data from a tool instead of writing it into the text.',
    };
  }
  const explained = explainRefusal(reading, code, toolNames);
  return explained && { kind: 'javascript', name: 'SyntaxError', ...explained };
}

/** Why this execute frame is not sent; undefined when it is. Escapes make a text up to six times longer. */
export function refusalOfFrame(frame: string, { maxFrameBytes }: Limits): RunError | undefined {
  if (frameBytes(frame) <= maxFrameBytes) return undefined;
  return {
    kind: 'limit',
    code: 'CODE_TOO_LARGE',
    message:
      `The program and the names of its tools do not fit in one frame of ${maxFrameBytes} bytes, ` +
      'which is maxFrameBytes.',
    hint: 'Write a shorter program; get large data from a tool instead of writing it into the text.',
  };
}
