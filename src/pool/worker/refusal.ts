/**
 * Programs that are refused before they run: by their text alone, or because they do not fit in a frame. Nothing of them
 * reaches a sandbox; one is used up all the same, so that every result has a receipt of the same worth.
 */
import { frameBytes } from '../../bridge/encode.js';
import type { Limits } from '../limits.js';
import type { RunError } from '../run-result.js';

/** Why this text is not run; undefined when it is. */
export function refusalOfText(code: string, { maxCodeBytes }: Limits): RunError | undefined {
  // A string has at least one byte of UTF-8 for each of its code units, and at most three.
  if (
    code.length > maxCodeBytes ||
    (code.length * 3 > maxCodeBytes && Buffer.byteLength(code) > maxCodeBytes)
  ) {
    return {
      kind: 'limit',
      code: 'CODE_TOO_LARGE',
      message: `The program is longer than ${maxCodeBytes} bytes, which is maxCodeBytes.`,
      hint: 'Write a shorter program; get large data from a tool instead of writing it into the text.',
    };
  }
  if (code.trim() === '') {
    return {
      kind: 'javascript',
      name: 'SyntaxError',
      message: 'The program is empty.',
      hint: 'Write JavaScript statements, and return the result.',
    };
  }
  return undefined;
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
