/**
 * What went wrong, told of the text that was submitted: places are moved from the text that ran to that text, and a hint
 * says what to do. For failures only.
 */
import { failedOperation } from './hints/failed-operation.js';
import { type Failure, hintFor } from './hints/hint.js';
import { strayBrace } from './hints/stray-brace.js';
import type { Reading } from './reading.js';
import { isInserted, originalOffset } from './text/edits.js';
import { Lines, type Place } from './text/lines.js';
import { toolList } from './tool-names.js';

export interface ExplainedPlace extends Place {
  sourceLine: string;
}

/** What explaining adds to a failure, or puts in the place of what it has. */
export interface Explanation {
  position?: ExplainedPlace;
  stack?: string;
  hint?: string;
}

/** Frames of a program's stack, as the engine writes them. */
const FRAME_PLACE = /program\.js:(\d{1,9}):(\d{1,9})/;

/** `failure`: with its places in the text that ran. */
export function explain(
  failure: Failure,
  reading: Reading,
  submitted: string,
  toolNames: readonly string[],
): Explanation {
  const places = new PlaceMap(reading, submitted);
  const { position, stack } = failure;
  const reported = position && places.ranOffset(position);
  const found = placeOfFailure(failure, reading.text, reported, toolNames);
  const hint = hintFor(failure, { reading, submitted, offset: found.offset, toolNames });
  const place = found.isMoved
    ? places.submittedPlaceAt(found.offset)
    : position && places.submittedPlace(position);
  return {
    ...(place !== undefined && { position: places.shown(place) }),
    ...(stack !== undefined && {
      stack: places.submittedStack(found.isMoved ? places.movedStack(stack, found.offset) : stack),
    }),
    ...(hint !== undefined && { hint }),
  };
}

/**
 * `offset`: in the text that ran, what a hint may look at; absent: it must not look at any place. `isMoved`: it is another
 * than the engine's.
 */
type FoundPlace = { offset: number; isMoved: true } | { offset?: number | undefined; isMoved: false };

/** `reported`: by the engine. */
function placeOfFailure(
  failure: Failure,
  text: string,
  reported: number | undefined,
  toolNames: readonly string[],
): FoundPlace {
  if (failure.kind !== 'javascript') return { offset: reported, isMoved: false };
  const brace = strayBrace(failure, text, reported);
  if (brace !== undefined) return { offset: brace, isMoved: true };
  const operation = failedOperation(failure, text, reported, toolNames);
  switch (operation.kind) {
    case 'known':
      return { offset: operation.offset, isMoved: true };
    case 'unknown':
      return { isMoved: false };
    case 'unchecked':
      return { offset: reported, isMoved: false };
  }
}

/** A text that was refused, as an error: its message, its place, and what to do. */
export function explainRefusal(
  { refusal }: Reading,
  submitted: string,
  toolNames: readonly string[],
): { message: string; hint: string; position?: ExplainedPlace } | undefined {
  if (refusal === undefined) return undefined;
  const { message, hint, namesTools, offset } = refusal;
  const lines = new Lines(submitted);
  const place = offset === undefined ? undefined : lines.placeOf(offset);
  return {
    message,
    hint: namesTools ? `${hint} ${toolList(toolNames)}` : hint,
    ...(place !== undefined && { position: { ...place, sourceLine: lines.sourceLine(place) } }),
  };
}

class PlaceMap {
  readonly #reading: Reading;
  readonly #submitted: Lines;
  readonly #ran: Lines;

  constructor(reading: Reading, submitted: string) {
    this.#reading = reading;
    this.#submitted = new Lines(submitted);
    this.#ran = reading.segments === undefined ? this.#submitted : new Lines(reading.text);
  }

  ranOffset(place: Place): number | undefined {
    return this.#ran.offsetOf(place);
  }

  /** Places that no line of the text has are the runner's word, and stay. */
  submittedPlace(place: Place): Place {
    const offset = this.#ran.offsetOf(place);
    return this.#reading.segments === undefined || offset === undefined
      ? place
      : this.submittedPlaceAt(offset);
  }

  /** Of an offset in the text that ran. */
  submittedPlaceAt(offset: number): Place {
    const { segments } = this.#reading;
    return this.#submitted.placeOf(segments === undefined ? offset : originalOffset(segments, offset));
  }

  /** The stack with its uppermost frame at an offset in the text that ran. */
  movedStack(stack: string, offset: number): string {
    const { line, column } = this.#ran.placeOf(offset);
    return stack.replace(FRAME_PLACE, `program.js:${line}:${column}`);
  }

  /** Frames in what was put into the text are left out, unless there are no others. */
  submittedStack(stack: string): string {
    const { segments } = this.#reading;
    if (segments === undefined) return stack;
    const frames = stack.split('\n');
    const own = frames.filter((frame) => {
      const place = placeIn(frame);
      const offset = place && this.#ran.offsetOf(place);
      return offset === undefined || !isInserted(segments, offset);
    });
    return (own.length === 0 ? frames : own).map((frame) => this.#submittedFrame(frame)).join('\n');
  }

  shown(place: Place): ExplainedPlace {
    return { ...place, sourceLine: this.#submitted.sourceLine(place) };
  }

  #submittedFrame(frame: string): string {
    const place = placeIn(frame);
    if (place === undefined) return frame;
    const { line, column } = this.submittedPlace(place);
    return frame.replace(FRAME_PLACE, `program.js:${line}:${column}`);
  }
}

function placeIn(frame: string): Place | undefined {
  const match = FRAME_PLACE.exec(frame);
  return match === null ? undefined : { line: Number(match[1]), column: Number(match[2]) };
}
