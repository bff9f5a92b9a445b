/**
 * The reading thread: reads the texts that would hold its owner's loop too long. The stripper is loaded with the first
 * text that needs it.
 */
import { parentPort } from 'node:worker_threads';
import { read, unread } from '../reading.js';
import { loadStripper, type StripTypes } from '../syntax/strip-types.js';
import type { ReadingAnswer, ReadingRequest } from './messages.js';

let stripper: StripTypes | undefined;

const strip: StripTypes = (text) => {
  stripper ??= loadStripper();
  return stripper(text);
};

function answer(request: ReadingRequest): ReadingAnswer {
  try {
    return { type: 'reading', reading: read(request, strip) ?? unread(request) };
  } catch {
    // Deep nesting ends in a trap of the stripper's WebAssembly, whose memory is worth nothing from then on.
    return { type: 'broken' };
  }
}

parentPort?.on('message', (request: ReadingRequest) => parentPort?.postMessage(answer(request)));
