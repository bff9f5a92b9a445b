/** Figures as text, for the table and for the page alike. */
import type { Spread } from '../measure.js';

/** A figure that could not be had: a ratio to nothing, or a measurement that was left out. */
const NONE = '–';

/** As many digits as say something: three of them, no more than three behind the point. */
function digitsOf(value: number): number {
  const size = Math.abs(value);
  if (size >= 100 || size === 0 || !Number.isFinite(size)) return 0;
  if (size >= 10) return 1;
  return size >= 0.1 ? 2 : 3;
}

export function figure(value: number): string {
  return fixed(value, digitsOf(value));
}

/** "290": the median. */
export function middle(spread: Spread): string {
  return fixed(spread.median, digitsOfAll(spread));
}

/** "276-336", with as many digits as the median has; nothing when there is nothing between the ends. */
export function range(spread: Spread): string {
  const [low, high] = [spread.min, spread.max].map((end) => fixed(end, digitsOfAll(spread)));
  if (low === high) return '';
  return spread.min < 0 ? `${low} to ${high}` : `${low}-${high}`;
}

/** "290 (276-336)". */
export function middleAndRange(spread: Spread): string {
  const ends = range(spread);
  return `${middle(spread)}${ends && ` (${ends})`}`;
}

/** What is counted has no digits behind the point. */
function digitsOfAll({ median, min, max }: Spread): number {
  return [median, min, max].every(Number.isInteger) ? 0 : digitsOf(median);
}

function fixed(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : NONE;
}

/** What stands behind a figure of this unit. */
export function unitSuffix(unit: 'ms' | 'KB' | 'count' | 'ratio'): string {
  return { ms: ' ms', KB: ' KB', count: '', ratio: ' ×' }[unit];
}
