/**
 * Takes the types out of TypeScript, and puts blanks in their place, so that every position stays what it was. The
 * stripper is 3.7 MB and takes a quarter of a second to load: for a thread of its own only, see thread/.
 */
import { createRequire } from 'node:module';
import type { SyntaxProblem } from './parse.js';

export type Stripped =
  | { ok: true; text: string }
  /** `isUnsupported`: TypeScript, but of the kind that is not only types. */
  | { ok: false; problem: SyntaxProblem; isUnsupported: boolean };

/**
 * In `a ? (b) : c => d`, the stripper tries both what is in parentheses and the parameters of a function with a result
 * type, and doubles its work with each that is in another: 12 of them take 20 ms, 22 take 15 s.
 */
const AMBIGUOUS_CONDITION = /\?\s*(?:async\s*)?\([^;?]{0,80}\)\s*:[^;?]{0,80}?=>/g;
const MOST_AMBIGUOUS_CONDITIONS = 12;

/** True for a text that is not worth the attempt; what else takes long is ended by the owner of the thread. */
export function isCostlyToStrip(text: string): boolean {
  return (text.match(AMBIGUOUS_CONDITION)?.length ?? 0) > MOST_AMBIGUOUS_CONDITIONS;
}

/** Throws only when the stripper itself broke, and cannot be used any more. */
export type StripTypes = (text: string) => Stripped;

const WRAPPER_HEAD = 'async function __program__(){\n';
const WRAPPER_TAIL = '\n}';

/** What it throws: no Error, but an object with these. */
interface StripperError {
  code: 'InvalidSyntax' | 'UnsupportedSyntax';
  message: string;
  /** From 1. */
  startLine: number;
  /** From 0. */
  startColumn: number;
}

interface Stripper {
  transformSync(text: string, options: { mode: 'strip-only'; module: boolean }): { code: string };
}

/** Loads the stripper, synchronously. */
export function loadStripper(): StripTypes {
  const stripper = createRequire(import.meta.url)('@swc/wasm-typescript') as Stripper;
  const transform = (text: string): string =>
    stripper.transformSync(text, { mode: 'strip-only', module: true }).code;
  return (text) => stripTypes(text, transform);
}

/**
 * The stripper accepts `return` only in a function, and `import` and `export` only outside of one: programs have
 * either, rarely both, and then the exports are of types, which can go beforehand.
 */
function stripTypes(text: string, transform: (text: string) => string): Stripped {
  const isModule = /(?:^|[;}])[ \t]*(?:import|export)\b/m.test(text);
  const inFunction = attempt(text, WRAPPER_HEAD, WRAPPER_TAIL, transform);
  if (inFunction.ok || !isModule) return inFunction;
  const asModule = attempt(text, '', '', transform);
  if (asModule.ok || asModule.isUnsupported) return asModule;
  const withoutTypeExports = attempt(blankTypeImports(text), WRAPPER_HEAD, WRAPPER_TAIL, transform);
  return withoutTypeExports.ok || withoutTypeExports.isUnsupported ? withoutTypeExports : asModule;
}

function attempt(text: string, head: string, tail: string, transform: (text: string) => string): Stripped {
  try {
    return { ok: true, text: unwrapped(transform(head + text + tail), head, tail) };
  } catch (error) {
    if (!isStripperError(error)) throw error;
    const { code, message } = error;
    const offset = Math.min(
      Math.max(offsetOf(error, head + text + tail, transform) - head.length, 0),
      text.length,
    );
    return { ok: false, problem: { message, offset }, isUnsupported: code === 'UnsupportedSyntax' };
  }
}

function unwrapped(text: string, head: string, tail: string): string {
  return text.slice(head.length, text.length - tail.length);
}

function isStripperError(error: unknown): error is StripperError {
  return typeof error === 'object' && error !== null && 'startLine' in error && 'startColumn' in error;
}

/**
 * The columns of its errors count how wide characters are on a terminal, which only for ASCII is what we count: where
 * there is more, the place is asked for again, of a text with the same tokens in ASCII.
 */
function offsetOf(error: StripperError, text: string, transform: (text: string) => string): number {
  const shadow = asciiShadow(text);
  if (shadow === text) return offsetIn(text, error);
  try {
    transform(shadow);
  } catch (again) {
    if (isStripperError(again)) return offsetIn(shadow, again);
    throw again;
  }
  return offsetIn(text, error);
}

function asciiShadow(text: string): string {
  return text.replace(/[^\n\r -~]/g, (character) => (/\s/.test(character) ? ' ' : 'x'));
}

function offsetIn(text: string, { startLine, startColumn }: StripperError): number {
  let start = 0;
  for (const end of text.matchAll(/\r\n|\n|\r/g)) {
    if (--startLine === 0) break;
    start = end.index + end[0].length;
  }
  return start + startColumn;
}

/** `import type … from '…'`, and the word `export` before a type. */
function blankTypeImports(text: string): string {
  const blank = (match: string): string => match.replace(/[^\r\n]/g, ' ');
  return text
    .replace(/^[ \t]*import\s+type\b[^'"`;()]*(?:'[^'\r\n]*'|"[^"\r\n]*");?/gm, blank)
    .replace(
      /^[ \t]*export(?=\s+(?:type|interface|declare|enum|const|let|function|async|class|abstract)\b)/gm,
      blank,
    );
}
