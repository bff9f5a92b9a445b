/** Texts cut to a number of bytes, which say that they are cut. Must not know what they say. */

/** The beginning of a text that ends with a newline. At least 64 bytes, so that there is room to say so. */
export function boundedHead(text: string, bytes: number): string {
  const size = Buffer.byteLength(text);
  if (size <= bytes) return text;
  const note = `… (${size} bytes, cut)\n`;
  return headOf(text, bytes - Buffer.byteLength(note)) + note;
}

/**
 * Lines, each with its newline: those from the beginning and from the end that fit, and between them how many are left out.
 * Where not even one fits, a part of the last.
 */
export function boundedLines(lines: readonly string[], bytes: number): string {
  const sizes = lines.map((line) => Buffer.byteLength(line));
  if (sizes.reduce((sum, size) => sum + size, 0) <= bytes) return lines.join('');
  const longestNote = noteOf(lines.length);
  let room = bytes - Buffer.byteLength(longestNote);
  let first = 0;
  let last = lines.length;
  // From both ends in turn: how it began, and how it ended.
  for (let turn = 0; first < last; turn++) {
    const fromEnd = turn % 2 === 0;
    const size = sizes[fromEnd ? last - 1 : first] ?? 0;
    if (size > room) break;
    room -= size;
    if (fromEnd) last--;
    else first++;
  }
  if (first === 0 && last === lines.length) {
    return lines.length === 1
      ? boundedHead(lines[0] ?? '', bytes)
      : noteOf(lines.length - 1) + boundedHead(lines.at(-1) ?? '', room);
  }
  return [...lines.slice(0, first), noteOf(last - first), ...lines.slice(last)].join('');
}

function noteOf(count: number): string {
  return `… (${count} ${count === 1 ? 'line' : 'lines'} left out)\n`;
}

/** Whole characters of `text` that take at most `bytes`. */
function headOf(text: string, bytes: number): string {
  if (bytes <= 0) return '';
  // A code unit has at least one byte, so that no more than `bytes` of them are looked at.
  const buffer = Buffer.from(text.slice(0, bytes));
  let end = Math.min(bytes, buffer.length);
  // A byte 10xxxxxx continues the character before it.
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end--;
  return buffer.toString('utf8', 0, end);
}
