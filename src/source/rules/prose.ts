/**
 * Whether what stands in front of a Markdown fence is prose, or code of which the fence is a part. A fence in a string, a
 * template or a comment of a program is data: it must never run in the program's place. So in doubt it is code.
 */

const INLINE_CODE = /`[^`\r\n]*`/g;
/** Behind one of these, marks may be those of a string or a regular expression; an apostrophe as in `don't` is none. */
const MAY_QUOTE_MARKS = /["/]|'(?!(?:s|t|re|ll|ve|m|d)\b)/;

/** What can hold the line of a fence inside of it: a comment, a template, a string that goes on in the next line. */
const IS_OPEN_AT_END_OF_LINE = /\/\*|\*\/|\$\{|\\`|\\[ \t]*$/m;

/** Marks and words that code has and prose has not, or only where this costs a fence. */
const IS_CODE: readonly RegExp[] = [
  /[{}=]|\+\+|^[ \t]*--[\w$]|;[ \t]*$/m,
  // A comment, not the address of a page.
  /(?<!:)\/\//,
  // A line that begins or ends with a call, and one with a member of an object at its beginning.
  /^[ \t]*[\w$.]+(?:\?\.)?\(|[\w$\])]\([^)\r\n]*\)[ \t]*$|^[ \t]*[\w$]+(?:\.[\w$]+)+[ \t]*$/m,
  /^[ \t]*(?:return|await|async|throw|import|export|const|let|var|function|class|type|interface|enum|namespace)\b/m,
  /^[ \t]*(?:declare|abstract|new|delete|void|typeof|yield|debugger|break|continue|do|else|case|default|@\w+)\b/m,
  /^[ \t]*(?:if|for|while|switch|try|catch|with)[ \t]*(?:await[ \t]*)?\(/m,
];

/** True for nothing at all, too. Must be asked about all of a text up to the line of the fence. */
export function isProse(text: string): boolean {
  if (text.trim() === '') return true;
  if (IS_OPEN_AT_END_OF_LINE.test(text)) return false;
  const withoutCode = text.replace(INLINE_CODE, (code, offset: number) => {
    const before = text.slice(text.lastIndexOf('\n', offset) + 1, offset);
    return MAY_QUOTE_MARKS.test(before) ? code : ' code ';
  });
  return !withoutCode.includes('`') && !IS_CODE.some((pattern) => pattern.test(withoutCode));
}
