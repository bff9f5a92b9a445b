/** What the reading thread and its owner say to each other. Types only. One text is asked for at a time. */
import type { Reading, Submission } from '../reading.js';

export type ReadingRequest = Submission;

export type ReadingAnswer =
  | { type: 'reading'; reading: Reading }
  /** The stripper broke on this text: the thread is of no more use. */
  | { type: 'broken' };
