/**
 * Edits of a text, and the way back: from a place in the edited text to the one in the original. Whatever is taken out
 * or put in, a position that is reported is one of the text that was submitted. Must not know what the text means.
 */

/** Replaces `text.slice(start, end)`. */
export interface Edit {
  start: number;
  end: number;
  insert: string;
}

/** A run of characters that both texts have. Plain data: it crosses between threads. */
export interface Segment {
  /** Offset in the edited text. */
  edited: number;
  /** Offset in the original. */
  original: number;
  length: number;
}

export interface EditedText {
  text: string;
  /** In order, none empty; absent: nothing was changed. */
  segments?: Segment[];
}

export const cut = (start: number, end: number): Edit => ({ start, end, insert: '' });
export const insertion = (at: number, text: string): Edit => ({ start: at, end: at, insert: text });

/** Applies edits that do not overlap, given in any order; of two insertions at one place, the first comes first. */
export function applyEdits(text: string, edits: readonly Edit[]): EditedText {
  const ordered = edits.filter(({ start, end, insert }) => end > start || insert !== '');
  if (ordered.length === 0) return { text };
  ordered.sort((a, b) => a.start - b.start || a.end - b.end);
  const segments: Segment[] = [];
  let edited = '';
  let taken = 0;
  const keepUntil = (end: number): void => {
    if (end > taken) segments.push({ edited: edited.length, original: taken, length: end - taken });
    edited += text.slice(taken, end);
  };
  for (const { start, end, insert } of ordered) {
    keepUntil(start);
    edited += insert;
    taken = end;
  }
  keepUntil(text.length);
  return { text: edited, segments };
}

/** The offset in the original that is shown at `offset` of the edited text: for what was put in, the next that was kept. */
export function originalOffset(segments: readonly Segment[] | undefined, offset: number): number {
  if (segments === undefined) return offset;
  let end = 0;
  for (const { edited, original, length } of segments) {
    if (offset < edited) return original;
    if (offset < edited + length) return original + offset - edited;
    end = original + length;
  }
  return end;
}

/** The segments of two rounds of edits, the second of which was made on the outcome of the first. */
export function composeSegments(
  first: readonly Segment[] | undefined,
  second: readonly Segment[] | undefined,
): Segment[] | undefined {
  if (first === undefined) return second === undefined ? undefined : [...second];
  if (second === undefined) return [...first];
  const composed: Segment[] = [];
  for (const outer of second) {
    for (const inner of first) {
      const start = Math.max(outer.original, inner.edited);
      const end = Math.min(outer.original + outer.length, inner.edited + inner.length);
      if (start >= end) continue;
      composed.push({
        edited: outer.edited + start - outer.original,
        original: inner.original + start - inner.edited,
        length: end - start,
      });
    }
  }
  return composed;
}

/** True if the character at `offset` of the edited text was put in, and has no place in the original. */
export function isInserted(segments: readonly Segment[] | undefined, offset: number): boolean {
  return segments !== undefined && !segments.some((s) => offset >= s.edited && offset < s.edited + s.length);
}
