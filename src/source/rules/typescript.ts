/** When a text that is no JavaScript is worth trying as TypeScript, and what to say of TypeScript that cannot be stripped. */
import type { SyntaxProblem } from '../syntax/parse.js';
import type { Refusal } from './refusal.js';

/** Where a parser of JavaScript stops at a type, or one word behind it. */
const TYPE_MARK = /[:<>!@?)\],=[|&;{]/;
const TYPE_WORDS = new Set([
  ...[
    'abstract',
    'as',
    'declare',
    'enum',
    'export',
    'implements',
    'import',
    'interface',
    'module',
    'namespace',
  ],
  ...['override', 'private', 'protected', 'public', 'readonly', 'satisfies', 'type'],
]);
const IS_MARKUP = /^\s*<[a-z!?/|]/i;
/** `<USER_ID>`, with the end of a value behind it; in TypeScript a value follows. */
export const PLACEHOLDER = /^(<[A-Za-z][\w .-]{0,60}>)\s*(?:[,;)}\]]|$)/;
/** Something that TypeScript has and JavaScript has not must be in it. */
const HAS_TYPES =
  /[\w)\]}?]\s*:|[\w$\]}]\?\s*[,)]|\bthis\s*[,)]|<|[\w)\]}]!|\b(?:as|satisfies|interface|type|enum|declare|namespace|module|abstract|private|public|protected|readonly|override|implements|import|export)\b/;

/**
 * Stripping costs a thread and its start: an ordinary slip, or prose, is not sent there. `offset`: where the parser of
 * JavaScript stopped.
 */
export function mightBeTypeScript(text: string, offset: number): boolean {
  const at = text.slice(offset, offset + 20);
  if (at.trim() === '' || IS_MARKUP.test(text) || !HAS_TYPES.test(text)) return false;
  if (PLACEHOLDER.test(text.slice(offset, offset + 80))) return false;
  // `this` as the name of a parameter.
  if (TYPE_MARK.test(at.charAt(0)) || /^this\s*[:,)]/.test(at)) return true;
  const before = /([\w$]+)\s*$/.exec(text.slice(Math.max(0, offset - 20), offset))?.[1];
  const word = /^[\w$]+/.exec(at)?.[0];
  return (word !== undefined && TYPE_WORDS.has(word)) || (before !== undefined && TYPE_WORDS.has(before));
}

const INSTEAD: readonly [RegExp, string][] = [
  [
    /parameter property/,
    'Declare the field in the class and assign it in the constructor: this.name = name;',
  ],
  [/namespace|module/, 'Write a const object instead of the namespace.'],
  [/angle-bracket|type assertion/, 'Write the assertion as `value as Type`.'],
  [/import equals|export assignment/, 'There are no modules and no imports; call the tools.'],
];

export function refusalOfTypeScript(
  { message, offset }: SyntaxProblem,
  isUnsupported: boolean,
  text: string,
): Refusal {
  if (!isUnsupported)
    return { message, hint: 'Repair the TypeScript at this place, or write JavaScript.', offset };
  const what = /^TypeScript (.+) is not supported/.exec(message)?.[1] ?? 'angle-bracket type assertion';
  return {
    message: `A TypeScript ${what} cannot be run: of TypeScript, only the types are taken out.`,
    hint:
      enumHint(what, text.slice(offset, offset + 200)) ??
      INSTEAD.find(([pattern]) => pattern.test(what))?.[1] ??
      'Write this part as JavaScript.',
    offset,
  };
}

function enumHint(what: string, at: string): string | undefined {
  if (!what.includes('enum')) return undefined;
  const [, name = 'Color', member = 'Red'] = /\benum\s+([\w$]+)\s*\{\s*([\w$]+)?/.exec(at) ?? [];
  return `Write a const object instead of the enum: const ${name} = { ${member}: '${member.toLowerCase()}' };`;
}
