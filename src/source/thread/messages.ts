/** What the reading thread and its owner say to each other. Types only. One text is asked for at a time. */
import type { Reading, Submission } from '../reading.js';

export type ReadingRequest = Submission;

/** What the thread is started with. */
export interface ReadingThreadData {
  /** The stripper is loaded before the first text, not with the first one that needs it. */
  loadsStripper: boolean;
}

export type ReadingAnswer =
  /** The text is taken up now, with all that there is to load: from here on, what it costs is its own. */
  | { type: 'taken' }
  /** For this text, the stripper has to be loaded first; `taken` follows once more. */
  | { type: 'loading' }
  | { type: 'reading'; reading: Reading }
  /** The stripper broke on this text: the thread is of no more use. */
  | { type: 'broken' };
