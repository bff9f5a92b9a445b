/** Hints for texts that the engine cannot compile. */
import { PLACEHOLDER } from '../rules/typescript.js';
import type { Failure, FailureContext } from './failure.js';
import { isShellCommand, SHELL_HINT } from './names.js';

const INVISIBLE = /[\u200b-\u200f\u2060\u00ad\u180e\ufeff]/;
const TYPOGRAPHIC = /[“”„‟«»‘’‚‛]/;

/** The text itself tells what it is. In this order: the first that fits. */
const LOOKS_LIKE_PYTHON = 'This looks like Python: write the program in JavaScript.';

const TEXTS: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*<(?:!doctype|html|head|body|div|\?xml|script)\b/i,
    'This is markup: send JavaScript that calls tools.',
  ],
  [
    /^\s*<[\w:]*(?:tool|function|invoke|antml)[\w:]*/i,
    'This is a tool call in XML: call the tool from JavaScript, return await tools.name({ … });',
  ],
  [
    /^\s*<(?:think|thinking|reasoning|reflection|scratchpad)\b/i,
    'This is reasoning in tags, and not only a program: send the JavaScript alone.',
  ],
  [/^\s*<\|/, 'This begins with a control token of a model: send the JavaScript alone, without <|…|> marks.'],
  [
    /^\s*<(?:code|pre|answer|output|result|response|javascript|js|program|snippet)\b/i,
    'This is in tags, which JavaScript does not have: send what is between them, without <…> and </…>.',
  ],
  [
    /^\s*(?:def \w+\(.*\):|from [\w.]+ import |import [\w.]+( as \w+)?\s*$|(?:if|for|while|elif|else|try|with)\b[^{}();]*:\s*$|print [^(])/m,
    LOOKS_LIKE_PYTHON,
  ],
  [
    /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|WITH\s+\w+\s+AS)\s/i,
    'This is SQL: call a tool that runs the query.',
  ],
  [/^\s*https?:\/\/\S+\s*$/, 'This is an address and no program: call a tool that gets it, if there is one.'],
  [/^\s*#/, 'A line that begins with # is no JavaScript: write comments with //.'],
];

const STRAY_BRACE = 'Remove a closing brace at or before this place, or add the opening one that is missing.';

const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    /end of string/,
    'Close the string on its line, or write a multi-line text with backticks; escape the quotes inside of it.',
  ],
  [
    /end of template|template/i,
    'Close the template literal with a backtick; write \\` for one inside of it.',
  ],
  [/return not in a function/, STRAY_BRACE],
  [/yield/, 'Write the generator as function*, or use an async function and await.'],
  [
    /redefinition|already been declared/,
    'Declare each name once: rename the second, or assign without const or let.',
  ],
  [/import\.meta/, 'There are no modules: take what the program needs from tools.'],
  [/Octal/i, 'Write octal numbers as 0o17, and no leading zeros; write characters as \\x07 or \\u0007.'],
  [/keyword: with/, 'Programs are strict, and have no `with`: use a variable.'],
  [/delete a direct reference/, 'Delete members only: delete object.name; set variables to undefined.'],
  [/keyword: enum/, "Write a const object instead of an enum, or run the program with language: 'ts'."],
  [/'super' is only valid/, 'Use super only in methods of a class.'],
  [/private name|private field/i, 'Declare #names in the class that uses them.'],
  [/variable name expected|reserved|keyword/, 'Choose another name: this is a word of the language.'],
  [/missing initializer/, 'Give the const a value.'],
  [/invalid assignment/i, 'Assign to a variable or a member; compare with ===.'],
  [
    /regular expression|regexp|invalid group|expecting '\)'/i,
    'Escape ( ) [ ] { } / in regular expressions, and close them.',
  ],
  [
    /unexpected token|expecting/i,
    'Look at this place, and just before it, for a missing bracket, comma, operator or quote.',
  ],
];

const UNCLOSED =
  'Something is not closed at the end of the text: close every (, [, { and quote. Was the program cut off?';

export function syntaxHint(failure: Failure, context: FailureContext): string | undefined {
  const { name, message } = failure;
  if (name !== 'SyntaxError') return undefined;
  const { reading, submitted, offset } = context;
  const text = reading.text;
  // An error of JSON.parse has the same name; its place is where the program called it.
  const around = offset === undefined ? '' : text.slice(Math.max(0, offset - 12), offset + 12);
  if (/JSON/.test(message) || /\bJSON\s*\.\s*parse\b/.test(around)) {
    return 'The text is no JSON. Tool results are values already and need no JSON.parse; log the text to see what it is.';
  }
  const character = offset === undefined ? '' : (text[offset] ?? '');
  const before = offset === undefined ? '' : (text[offset - 1] ?? '');
  if (TYPOGRAPHIC.test(character) || TYPOGRAPHIC.test(before)) {
    return 'Write straight quotes, " or \', not typographic ones.';
  }
  if (offset !== undefined) {
    const placed = placeHint(text, offset);
    if (placed !== undefined) return placed;
  }
  const invisible = INVISIBLE.exec(text.slice(Math.max(0, (offset ?? 0) - 1), (offset ?? 0) + 2))?.[0];
  if (invisible !== undefined)
    return `Remove the invisible character ${unicodeName(invisible)} at this place.`;
  if (isShellCommand(submitted)) return SHELL_HINT;
  const known = TEXTS.find(([pattern]) => pattern.test(submitted.slice(0, 4_000)))?.[1];
  if (known !== undefined && reading.rule.endsWith('unparsed')) return known;
  if (reading.rule.startsWith('fence')) return messageHint(failure, context);
  if (/^[ \t]*(?:```|~~~)/m.test(submitted))
    return 'Send the program without Markdown, or in one fenced block.';
  if (isProse(submitted)) return 'This reads like prose: send JavaScript only, without explanations.';
  return messageHint(failure, context);
}

function messageHint({ message, stack }: Failure, { reading, offset }: FailureContext): string | undefined {
  const text = reading.text.trimEnd();
  if (isAwaitMisplaced(reading.text, offset))
    return 'Use await only in async functions: make the function around it async.';
  if (/'\}'/.test(message) && offset !== undefined && text[offset] === '}' && stack === undefined)
    return STRAY_BRACE;
  // The engine finds no token where the text ends, and gives no stack for what lies behind it.
  const isAtEnd = stack === undefined && offset !== undefined && offset >= text.length;
  if (isAtEnd && /token in expression/.test(message)) return UNCLOSED;
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? (isAtEnd ? UNCLOSED : undefined);
}

/** What the characters at the place tell. */
function placeHint(text: string, offset: number): string | undefined {
  const at = text.slice(offset, offset + 80);
  if (PLACEHOLDER.test(at) && /[:=(,[]\s*$/.test(text.slice(Math.max(0, offset - 20), offset))) {
    return `${PLACEHOLDER.exec(at)?.[1]} is a placeholder: write the value in its place.`;
  }
  if (/^\\[nrt]/.test(at))
    return 'The text has \\n where it should have line breaks: send it with line breaks, not escaped twice.';
  if (/^["']/.test(at) && /(?:^|[^\w$"'`])[fF]$/.test(text.slice(Math.max(0, offset - 2), offset)))
    return 'This is an f-string of Python: write a template literal, in backticks and with a $ before each {.';
  return undefined;
}

/** `await` before a value, in a function that is not async, is a name to the engine, and what follows is too much. */
function isAwaitMisplaced(text: string, offset: number | undefined): boolean {
  return offset !== undefined && /\bawait\s+$/.test(text.slice(Math.max(0, offset - 20), offset));
}

/** Words that follow each other as they never do in JavaScript: at the start of the text, and most of it. */
function isProse(text: string): boolean {
  const [line = ''] = text.trim().split(/\r?\n/, 1);
  const words = line.split(/\s+/);
  if (words.length < 3 || /[=;{}()[\]]/.test(line.slice(0, 60))) return false;
  return (
    words.slice(0, 3).every((word) => /^[\p{L}'’,.:-]+$/u.test(word)) &&
    !/^(?:const|let|var|return|await)\b/.test(line)
  );
}

function unicodeName(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
