/** What `wardenpool exec` writes to stderr, for people: in colour on a terminal, unless NO_COLOR asks for none. */
import { inspect, styleText } from 'node:util';
import type { LogEntry, RunError, ToolCallRecord } from '../index.js';
import { oneLine, visible, visibleInside } from './terminal-text.js';

const LEVEL_STYLES = { debug: 'dim', log: 'reset', info: 'cyan', warn: 'yellow', error: 'red' } as const;

type Style = (typeof LEVEL_STYLES)[keyof typeof LEVEL_STYLES];

/** Name, message and the nearest frames of an error that a tool threw. */
const MAX_TOOL_ERROR_LINES = 6;

export function logLine({ level, text }: LogEntry): string {
  return `${styled(LEVEL_STYLES[level], visible(text))}\n`;
}

/** Kind, message and place of an error, and what to do about it. */
export function describeError(error: RunError): string {
  const { kind, name, code, message, hint, path, position } = error;
  const title = [kind, name, code].filter((part) => part !== undefined).join(' ');
  const lines = [`${styled('red', `${oneLine(title)}:`)} ${visibleInside(message)}`];
  if (path !== undefined) lines.push(`  at ${oneLine(path)} of the result`);
  if (position !== undefined) {
    const { line, column, sourceLine } = position;
    const number = `  ${line} | `;
    // The caret stands below what is printed: tabs stay, and what was made visible is longer than it was.
    const before = visible(sourceLine.slice(0, column - 1)).replace(/[^\t]/gu, ' ');
    lines.push(`${styled('dim', number)}${visible(sourceLine)}`);
    lines.push(`${' '.repeat(number.length)}${before}${styled('red', '^')}`);
  }
  if (hint !== undefined) lines.push(`  ${visibleInside(hint)}`);
  return `${lines.join('\n')}\n`;
}

/** The error of a handler, for the author of the tools: the program was told no more than that the tool failed. */
export function describeToolError({ id, name, error }: ToolCallRecord): string {
  const text = inspect(error).split('\n').slice(0, MAX_TOOL_ERROR_LINES).join('\n');
  const title = styled('yellow', visible(`tool ${JSON.stringify(name)}, call ${id}:`));
  // Its message may quote what the program passed.
  return `${title} ${visibleInside(text)}\n`;
}

function styled(style: Style, text: string): string {
  const plain = !process.stderr.isTTY || Boolean(process.env['NO_COLOR']) || style === 'reset';
  return plain ? text : styleText(style, text);
}
