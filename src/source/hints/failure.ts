/** What a hint is made from. Types only. */
import type { Reading } from '../reading.js';
import type { Place } from '../text/lines.js';

/** An error of a run, as far as hints look at it. */
export interface Failure {
  kind: string;
  message: string;
  name?: string | undefined;
  code?: string | undefined;
  stack?: string | undefined;
  path?: string | undefined;
  position?: Place | undefined;
}

export interface FailureContext {
  reading: Reading;
  submitted: string;
  /** Of the failure, in the text that ran. */
  offset: number | undefined;
  toolNames: readonly string[];
}
