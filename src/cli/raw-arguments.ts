/**
 * Our arguments, byte for byte. Node.js decodes them as UTF-8, and what is none becomes U+FFFD. Here each byte that is no UTF-8
 * becomes a lone surrogate, U+DC80 to U+DCFF (PEP 383): text that options can be parsed from, and bytes can be had back from.
 */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

const REPLACEMENT = '\ufffd';
const ESCAPE = 0xdc00;
const LONGEST_SEQUENCE = 4;

/** Those after the script, as text that `bytesOf()` undoes. */
export function rawArguments(): string[] {
  const decoded = process.argv.slice(2);
  if (!decoded.some((argument) => argument.includes(REPLACEMENT))) return decoded;
  let commandLine: Buffer;
  try {
    commandLine = readFileSync('/proc/self/cmdline');
  } catch {
    return decoded; // a system without it: what cannot be found by a mangled name is reported
  }
  const all: Buffer[] = [];
  for (let start = 0; start < commandLine.length; ) {
    const end = commandLine.indexOf(0, start);
    all.push(commandLine.subarray(start, end < 0 ? undefined : end));
    start = end < 0 ? commandLine.length : end + 1;
  }
  // Node.js's own arguments, and those of NODE_OPTIONS, are before ours.
  return all.slice(all.length - decoded.length).map(textOf);
}

/** The bytes of a text of `rawArguments()`. */
export function bytesOf(text: string): Buffer {
  const parts = text.split(/([\udc80-\udcff])/u);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 1 ? Buffer.of(part.charCodeAt(0) - ESCAPE) : Buffer.from(part),
    ),
  );
}

/** The text as it is, or its bytes if it is no UTF-8. */
export function textOrBytes(text: string): string | Buffer {
  return text.isWellFormed() ? text : bytesOf(text);
}

function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    text +=
      length === 0
        ? String.fromCharCode(ESCAPE + bytes.readUInt8(at))
        : bytes.toString('utf8', at, at + length);
    at += length || 1;
  }
  return text;
}

/** Of the character at `at`; 0 if there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= LONGEST_SEQUENCE && at + length <= bytes.length; length++)
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  return 0;
}
