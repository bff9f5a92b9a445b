/** What `wardenpool exec` writes to stderr, for people: in colour on a terminal, unless NO_COLOR asks for none. */
import { styleText } from 'node:util';
import type { LogEntry, RunError } from '../index.js';

const LEVEL_STYLES = { debug: 'dim', log: 'reset', info: 'cyan', warn: 'yellow', error: 'red' } as const;

type Style = (typeof LEVEL_STYLES)[keyof typeof LEVEL_STYLES];

export function logLine({ level, text }: LogEntry): string {
  return `${styled(LEVEL_STYLES[level], text)}\n`;
}

/** Kind, message and place of an error, and what to do about it. */
export function describeError(error: RunError): string {
  const { kind, name, code, message, hint, path, position } = error;
  const title = [kind, name, code].filter((part) => part !== undefined).join(' ');
  const lines = [`${styled('red', `${title}:`)} ${message}`];
  if (path !== undefined) lines.push(`  at ${path} of the result`);
  if (position !== undefined) {
    const { line, column, sourceLine } = position;
    const number = `  ${line} | `;
    lines.push(`${styled('dim', number)}${sourceLine}`);
    lines.push(`${' '.repeat(number.length + column - 1)}${styled('red', '^')}`);
  }
  if (hint !== undefined) lines.push(`  ${hint}`);
  return `${lines.join('\n')}\n`;
}

function styled(style: Style, text: string): string {
  const plain = !process.stderr.isTTY || Boolean(process.env['NO_COLOR']) || style === 'reset';
  return plain ? text : styleText(style, text);
}
