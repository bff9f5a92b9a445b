/** Hints for names that do not exist here: those of browsers and of Node, of the shell, and slips. */
import { nearestTools, toolExpression, toolList } from '../tool-names.js';
import type { Failure, FailureContext } from './failure.js';

const FETCH = 'There is no network here: call a tool that gets the data.';
const FILES = 'There are no files here: call a tool, or work with the data in memory.';
const BROWSER = 'There is no browser here: work with data, and return the result.';
const MODULES = 'There are no modules and no imports: use what ECMAScript has, and the tools.';
const NO_BUFFER = 'There is no Buffer: use strings, Uint8Array, TextEncoder and TextDecoder, atob and btoa.';
const OUTPUT = 'Use console.log to log, and return to give the result.';

/** What there is instead of a global that there is not. */
const INSTEAD = new Map<string, string>([
  ...[
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'EventSource',
    'axios',
    'http',
    'https',
    'Request',
    'Headers',
  ].map((name) => [name, FETCH] as const),
  ...['fs', 'path', 'Deno', 'Bun', 'os', 'child_process', 'exec', 'spawn'].map(
    (name) => [name, FILES] as const,
  ),
  ...[
    'window',
    'document',
    'navigator',
    'localStorage',
    'sessionStorage',
    'alert',
    'location',
    'self',
    '$',
  ].map((name) => [name, BROWSER] as const),
  ...['require', 'module', 'exports', '__dirname', '__filename', 'z', '_', 'moment', 'dayjs', 'lodash'].map(
    (name) => [name, MODULES] as const,
  ),
  ...['print', 'println', 'printf', 'echo', 'puts'].map((name) => [name, OUTPUT] as const),
  [
    'process',
    'There is no process here: no environment, no arguments, no exit. Return the result, or throw an Error.',
  ],
  ['global', 'Write globalThis.'],
  ['Buffer', NO_BUFFER],
  ['setImmediate', 'Write queueMicrotask(f) or setTimeout(f, 0).'],
  ['Intl', 'There is no Intl: format with toFixed, padStart, toISOString and string methods.'],
  ['XMLSerializer', 'There is no XML parser here.'],
  ['DOMParser', 'There is no HTML or XML parser here: use string methods or a tool.'],
  ['WebAssembly', 'There is no WebAssembly: write the program in JavaScript.'],
  ['Worker', 'There are no threads: call tools in parallel with Promise.all.'],
  ['True', 'Write true: the program is JavaScript.'],
  ['False', 'Write false: the program is JavaScript.'],
  ['None', 'Write null: the program is JavaScript.'],
  ['len', 'Write list.length: the program is JavaScript.'],
  ['nil', 'Write null: the program is JavaScript.'],
  ['tool', 'The tools are members of `tools`.'],
  ['functions', 'The tools are members of `tools`.'],
  ['console', OUTPUT],
]);

const TYPES = new Set([
  'string',
  'number',
  'boolean',
  'any',
  'unknown',
  'never',
  'object',
  'void',
  'Record',
  'Partial',
]);

/** First words of texts that are for a shell. */
const COMMANDS =
  /^\s*(?:\$ )?(?:ls|cd|cat|pwd|echo|mkdir|rm|cp|mv|npm|npx|node|yarn|pnpm|git|curl|wget|python3?|pip3?|bash|sh|sudo|apt|docker|grep|find|sed|awk|touch|chmod|export|whoami|date)\b[^=({;]*$/;

/** True if the text reads like a command line. */
export function isShellCommand(text: string): boolean {
  return (
    text.length < 2_000 && text.split(/\r?\n/).every((line) => line.trim() === '' || COMMANDS.test(line))
  );
}

export const SHELL_HINT =
  'This is a shell command, and there is no shell: write JavaScript that calls tools.';

export function nameHint({ name, message }: Failure, context: FailureContext): string | undefined {
  if (name !== 'ReferenceError') return undefined;
  const { submitted, toolNames } = context;
  const [, missing] = /^'?([\w$]+)'? is not defined/.exec(message) ?? [];
  if (missing !== undefined) return missingNameHint(missing, submitted, toolNames);
  const [, early] = /^'?([\w$]+)'? is not initialized/.exec(message) ?? [];
  if (early !== undefined) return `Move the declaration of ${early} in front of its first use.`;
  return /could not load module/.test(message) ? `${MODULES} ${toolList(toolNames)}` : undefined;
}

function missingNameHint(missing: string, submitted: string, toolNames: readonly string[]): string {
  if (isShellCommand(submitted)) return SHELL_HINT;
  const instead = INSTEAD.get(missing);
  if (toolNames.includes(missing)) return `Tools are members of tools: write ${toolExpression(missing)}(…).`;
  if (instead !== undefined) return `${instead} ${toolList(toolNames)}`;
  if (TYPES.has(missing)) return "If the program is TypeScript, run it with language: 'ts'.";
  if (/^\s*[A-Z][a-z]+[.!]?\s*$/.test(submitted))
    return 'This is no program: send JavaScript, without prose.';
  if (/^\s*(?:js|javascript|jsx|ts|typescript|tsx|node)[ \t]*\r?\n/.exec(submitted)?.[0].trim() === missing)
    return `Remove the first line: ${missing} is the name of the language, and no code.`;
  if (isKeywordArgument(submitted, missing))
    return `Pass one object with named fields, ({ ${missing}: … }): JavaScript has no keyword arguments.`;
  if (assigns(submitted, missing)) return `Declare it first: let ${missing} = …; programs are strict.`;
  const [nearest] = nearestTools(missing, toolNames);
  if (nearest !== undefined) return `Did you mean ${toolExpression(nearest)}? Tools are members of tools.`;
  return `Declare ${missing} before it is used, or check its spelling.`;
}

/** `call(name=value)`, as in Python. */
function isKeywordArgument(text: string, name: string): boolean {
  const escaped = name.replaceAll('$', '\\$');
  const call = `(?<![\\w$])(?!(?:for|if|while|switch)\\b)[\\w$]{1,100}\\((?:[^();]{0,200},)?\\s{0,20}${escaped}\\s{0,5}=[^=>]`;
  return new RegExp(call).test(text.slice(0, 4_000));
}

function assigns(text: string, name: string): boolean {
  const assignment = `(?:^|[;{}\\n])[ \\t]*${name.replaceAll('$', '\\$')}[ \\t]*(?:[-+*/%&|^?]{0,2}=[^=>]|\\+\\+|--)`;
  return new RegExp(assignment).test(text);
}
