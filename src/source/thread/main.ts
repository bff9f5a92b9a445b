/**
 * The reading thread: reads the texts that would hold its owner's loop too long. The stripper is loaded with the first
 * text that needs it, or at the start if the thread is told so.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { read, unread } from '../reading.js';
import { loadStripper, type StripTypes } from '../syntax/strip-types.js';
import type { ReadingAnswer, ReadingRequest, ReadingThreadData } from './messages.js';

let stripper = (workerData as ReadingThreadData).loadsStripper ? loadStripper() : undefined;

const post = (answer: ReadingAnswer): void => parentPort?.postMessage(answer);

const strip: StripTypes = (text) => {
  if (stripper === undefined) {
    post({ type: 'loading' });
    stripper = loadStripper();
    post({ type: 'taken' });
  }
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

parentPort?.on('message', (request: ReadingRequest) => {
  post({ type: 'taken' });
  post(answer(request));
});
