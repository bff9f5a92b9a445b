/**
 * JSON text to a value, as strictly as a policy asks: no key twice in one object, at most 32 levels, at most 1 MiB, nothing but
 * JSON. Knows nothing of policies.
 *
 * JSON.parse does the parsing. jsonc-parser looks first, and finds what JSON.parse would let pass, and where the text is wrong.
 */
import { isUtf8 } from 'node:buffer';
import jsonc from 'jsonc-parser';
import { memberPath, shortText } from './describe.js';
import { PolicyError } from './errors.js';
import { MAX_NESTING, MAX_POLICY_BYTES } from './policy.js';

/** UTF-8 bytes to text. Throws PolicyError. */
export function decodeText(bytes: Uint8Array): string {
  refuseLong(bytes.byteLength);
  if (!isUtf8(bytes)) throw new PolicyError('the policy is not UTF-8 text: convert it');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Throws PolicyError, which names line and column. */
export function parseStrictJson(text: string): unknown {
  refuseLong(Buffer.byteLength(text));
  lookThrough(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    // Only if the two parsers disagree.
    throw new PolicyError('the policy is not JSON', undefined, 'ERR_POLICY_INVALID', { cause });
  }
}

export function refuseLong(bytes: number): void {
  if (bytes > MAX_POLICY_BYTES) {
    throw new PolicyError(
      `the policy has ${bytes} bytes of JSON text; the most is ${MAX_POLICY_BYTES}: name directories, not their files`,
    );
  }
}

function lookThrough(text: string): void {
  const keys: Set<string>[] = [];
  let levels = 0;
  const enter = (line: number, column: number): void => {
    levels++;
    if (levels <= MAX_NESTING) return;
    throw new PolicyError(`${place(line, column)}: more than ${MAX_NESTING} levels of objects and arrays`);
  };
  jsonc.visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, column) => {
        enter(line, column);
        keys.push(new Set());
      },
      onArrayBegin: (_offset, _length, line, column) => enter(line, column),
      onObjectEnd: () => {
        levels--;
        keys.pop();
      },
      onArrayEnd: () => {
        levels--;
      },
      onObjectProperty: (key, _offset, _length, line, column, path) => {
        const own = keys.at(-1);
        if (own?.has(key)) {
          const where = memberPath([...path(), key]);
          const message = `${place(line, column)}: the key ${shortText(key)} is there twice (${where}): remove one`;
          throw new PolicyError(message, where);
        }
        own?.add(key);
      },
      onError: (error, offset, length, line, column) => {
        const problem = PROBLEMS[jsonc.printParseErrorCode(error)] ?? 'this is not JSON';
        const found =
          offset >= text.length ? '' : `, at ${shortText(text.slice(offset, offset + Math.max(1, length)))}`;
        throw new PolicyError(`${place(line, column)}: ${problem}${found}`);
      },
    },
    { disallowComments: true },
  );
}

function place(line: number, column: number): string {
  return `line ${line + 1}, column ${column + 1}`;
}

/** What is wrong, for each error of jsonc-parser that can occur. */
const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON: keys and texts stand in double quotes',
  InvalidNumberFormat: 'this is no number of JSON',
  PropertyNameExpected: 'a key in double quotes must follow here: no comma stands before a closing brace',
  ValueExpected: 'a value must follow here',
  ColonExpected: 'a colon must follow the key',
  CommaExpected: 'a comma must separate this from what comes before',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'nothing may follow the policy',
  InvalidCommentToken: 'JSON has no comments: remove it',
  UnexpectedEndOfComment: 'JSON has no comments: remove it',
  UnexpectedEndOfString: 'a text has no closing quote on its line',
  UnexpectedEndOfNumber: 'a number ends too early',
  InvalidUnicode: 'an escape \\u needs four hexadecimal digits',
  InvalidEscapeCharacter: 'this escape does not exist in JSON',
  InvalidCharacter: 'a control character in a text must be written as an escape',
};
