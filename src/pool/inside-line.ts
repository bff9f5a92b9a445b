/** Text of others below a line of ours. Must not know whose it is. */

/** What somebody may take for the end of a line: LF, CR, VT, FF, NEL, and Unicode's separators. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** Its lines after the first are indented by two spaces, so that none of them looks like one of ours. */
export function insideLine(text: string): string {
  return text.replace(LINE_END, '$&  ');
}
