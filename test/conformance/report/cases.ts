/** A conformance case, and the ways it can end. Knows neither runners nor hosts. */

export interface Case {
  /** The section of the contract that the case belongs to. */
  section: string;
  /** What must be true: a sentence of the contract, quoted or paraphrased. Unique in its section. */
  name: string;
  /** Features that the runner must grant, or else the case does not apply. */
  needs: readonly string[];
  /** Rejects with what was found instead. `signal` aborts when the case has used up its time. */
  check(signal: AbortSignal): Promise<void>;
}

export interface Outcome {
  section: string;
  name: string;
  status: 'passed' | 'failed' | 'not granted';
  /** Milliseconds that the case took; 0 if it did not run. */
  ms: number;
  /** What was found instead, for a failure; the missing features, for a case that was not granted. */
  message?: string;
}

export const titleOf = ({ section, name }: { section: string; name: string }): string =>
  `${section}: ${name}`;
