/**
 * Programs inside Markdown: finds the fenced code blocks of a text, as CommonMark has them, and picks the one that is
 * the program, unless they are quoted in a program. Must not know JavaScript.
 */
import { cut, type Edit } from '../text/edits.js';
import { isProse } from './prose.js';
import type { Refusal } from './refusal.js';

interface Fence {
  /** Of the opening line. */
  start: number;
  /** First word of the info string, in lower case; '' if there is none. */
  language: string;
  /** The whole info string. */
  info: string;
  /** The lines between, without the fences. */
  contentStart: number;
  contentEnd: number;
  /** Behind the closing line. */
  end: number;
  /** Spaces before the opening fence, which are no part of the content's lines either. */
  indent: number;
}

/** What to cut away so that only the program is left; or why none is. */
export type FencedProgram =
  | { kind: 'program'; edits: Edit[]; isTypeScript: boolean }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'none' };

/** Any white space before it, a byte order mark too. */
const OPENING = /^(\s*)(`{3,}|~{3,})[ \t]*([^\r\n]*)$/;
/** As in `Here it is: ```js`, which is none to CommonMark. */
const OPENING_IN_LINE = /^([^`]*)`{3,}[ \t]*([\w.{}+#-]*)[ \t]*$/;
/** An info string that has part of the program: a block that has lost it would do something else. */
const CODE_IN_INFO = /;|=>|[\w$]\(|\b(?:await|return|const|let)\b/;
const LINE = /[^\r\n]*(?:\r\n|\n|\r|$)/g;
/** Everything on one line, which is no fence to CommonMark, and is written all the same. */
const ONE_LINE = /^(\s*```)(\w*)(?=[ \t])([^`\r\n]+)(```\s*)$/;

const JAVASCRIPT = ['', 'js', 'javascript', 'jsx', 'mjs', 'cjs', 'node', 'nodejs', 'ecmascript', 'es6'];
const TYPESCRIPT = ['ts', 'typescript', 'tsx', 'mts', 'cts'];

/** A text can be tested for this before anything of it is parsed: no sensible program begins so. */
export const BEGINS_WITH_FENCE = /^\s*(?:```|~~~)/;
export const HAS_FENCE = /^[^\S\r\n]*(?:```|~~~)/m;

/**
 * The program among the fenced blocks: the only one there is, or the only one that is JavaScript or TypeScript by its
 * info string. The last block may be unclosed, as in an answer that was cut off. None if there is code around them.
 */
export function fencedProgram(text: string): FencedProgram {
  const oneLine = ONE_LINE.exec(text);
  if (oneLine !== null) {
    const [, open = '', language = '', content = ''] = oneLine;
    const start = open.length + language.length;
    return chosen(text, { ...named(language), contentStart: start, contentEnd: start + content.length });
  }
  const found = findFences(text);
  if (!Array.isArray(found)) return { kind: 'refused', refusal: unclear(found.unclear) };
  const fences = found;
  const [only, second] = fences;
  if (only === undefined) return { kind: 'none' };
  if (second === undefined && isClosingOnly(text, only)) return chosen(text, before(only));
  if (!fences.every(({ start }, index) => isProse(text.slice(fences[index - 1]?.end ?? 0, start))))
    return { kind: 'none' };
  if (second === undefined) return chosen(text, only);
  const programs = fences.filter(({ language }) => language !== '' && isOurs(language));
  const [program, another] = programs;
  if (program !== undefined && another === undefined) return chosen(text, program);
  return {
    kind: 'refused',
    refusal: {
      message: `The text has ${fences.length} fenced code blocks: it is not clear which of them is the program.`,
      hint: 'Send one program, in one block or without a fence.',
      offset: second.start,
    },
  };
}

/** Of a text that begins behind its opening fence, as when an answer was continued: nothing follows the only one. */
function isClosingOnly(text: string, { info, start, contentStart }: Fence): boolean {
  return info === '' && text.slice(contentStart).trim() === '' && text.slice(0, start).trim() !== '';
}

function before({ start }: Fence): Fence {
  return { ...named(''), contentEnd: start };
}

function unclear(offset: number): Refusal {
  return {
    message: 'The text has a code fence within a line: it is not clear where the program begins.',
    hint: 'Send the program alone, or the marks of its block in lines of their own.',
    offset,
  };
}

function chosen(text: string, fence: Fence): FencedProgram {
  const { language, contentStart, contentEnd, indent } = fence;
  if (CODE_IN_INFO.test(fence.info)) return { kind: 'refused', refusal: unclear(fence.start) };
  if (!isOurs(language)) {
    return {
      kind: 'refused',
      refusal: {
        message: `The fenced code block is marked ${JSON.stringify(language.slice(0, 40))}, which is not run here.`,
        hint: 'Write the program in JavaScript or TypeScript; call tools for everything else.',
        namesTools: true,
        offset: fence.start,
      },
    };
  }
  const edits = [cut(0, contentStart), ...indentation(text, fence, indent), cut(contentEnd, text.length)];
  return { kind: 'program', edits, isTypeScript: TYPESCRIPT.includes(language) };
}

/** The spaces that a block has because its fence has them: inside of a template literal they would be content. */
function indentation(text: string, { contentStart, contentEnd }: Fence, indent: number): Edit[] {
  if (indent === 0) return [];
  const edits: Edit[] = [];
  for (const { start, end } of linesOf(text, contentStart, contentEnd)) {
    let width = 0;
    while (width < indent && start + width < end && ' \t'.includes(text[start + width] ?? '\n')) width++;
    if (width > 0) edits.push(cut(start, start + width));
  }
  return edits;
}

/** `unclear`: the offset of a line whose marks may or may not open a block. */
function findFences(text: string): Fence[] | { unclear: number } {
  const fences: Fence[] = [];
  let open: { fence: Fence; mark: string } | undefined;
  /** The last line outside of the blocks that has marks in it without their pair, and none at its start. */
  let marked: { start: number; end: number; content: string } | undefined;
  for (const line of linesOf(text, 0, text.length)) {
    const { start, end, content } = line;
    const match = OPENING.exec(content);
    if (match === null) {
      if (open === undefined && (content.match(/`{3,}/g)?.length ?? 0) % 2 === 1) marked = line;
      continue;
    }
    const [, spaces = '', mark = '', info = ''] = match;
    if (open === undefined) {
      if (mark.startsWith('`') && info.includes('`')) continue;
      if (marked !== undefined && info.trim() === '') {
        const fence = fenceInLine(marked, start, end);
        if (fence === undefined) {
          // In code, it is nothing but code.
          return isProse(text.slice(fences.at(-1)?.end ?? 0, marked.start)) ? { unclear: marked.start } : [];
        }
        fences.push(fence);
        marked = undefined;
        continue;
      }
      const fence = {
        ...named(languageOf(info)),
        info: info.trim(),
        start,
        contentStart: end,
        contentEnd: text.length,
        end: text.length,
        indent: /[ \t]*$/.exec(spaces)?.[0].length ?? 0,
      };
      fences.push(fence);
      open = { fence, mark };
    } else if (info.trim() === '' && mark.startsWith(open.mark)) {
      open.fence.contentEnd = start;
      open.fence.end = end;
      open = undefined;
      marked = undefined;
    }
  }
  return fences;
}

/** The block that begins at the end of a line of prose; its closing line is the one from `closing` to `end`. */
function fenceInLine(
  line: { start: number; end: number; content: string },
  closing: number,
  end: number,
): Fence | undefined {
  const match = OPENING_IN_LINE.exec(line.content);
  if (match === null) return undefined;
  const [, prose = '', info = ''] = match;
  return {
    ...named(languageOf(info)),
    info,
    start: line.start + prose.length,
    contentStart: line.end,
    contentEnd: closing,
    end,
  };
}

function* linesOf(text: string, from: number, to: number) {
  LINE.lastIndex = from;
  for (let start = from; start < to; ) {
    LINE.lastIndex = start;
    const [line = ''] = LINE.exec(text) ?? [];
    if (line === '') return;
    const end = Math.min(start + line.length, to);
    yield { start, end, content: line.replace(/[\r\n]+$/, '') };
    start = end;
  }
}

function named(language: string): Fence {
  return {
    start: 0,
    language: language.toLowerCase(),
    info: '',
    contentStart: 0,
    contentEnd: 0,
    end: 0,
    indent: 0,
  };
}

/** As in `js`, `js title="x"`, `js{1,3}`, `{.js}`. */
function languageOf(info: string): string {
  return /[\w+#-]+/.exec(info)?.[0] ?? '';
}

function isOurs(language: string): boolean {
  return JAVASCRIPT.includes(language) || TYPESCRIPT.includes(language);
}
