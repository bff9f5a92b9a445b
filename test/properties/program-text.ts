/** Texts that somebody might submit as a program: noise, soups of tokens, and good programs with something broken in them. */
import fc from 'fast-check';
import { jsonText } from './json-arbitrary.js';

const TOKENS =
  String.raw`await async break case catch class const continue debugger default delete do else export extends false finally
  for function if import in instanceof let new null return static super switch this throw true try typeof var void while
  with yield enum of get set eval arguments undefined tools console a b f x 0 1 0x1f 1e3 1n .5 'a' "b" /x/g /(/ { } ( ) [ ]
  . ?. ; , < > <= == === != + - * / % ** ++ -- << >> & | ^ ! ~ && || ?? ? : = += => ... # @ \ \u0061 <!-- --> // /* */
  {{ }} ;) }); \x00 #! use strict interface type as : string`.split(/\s+/);

const TEMPLATE = ['`', '`a${', '}b`', '${', '`${`'];

const separator = fc.constantFrom(' ', ' ', ' ', '\n', '\r\n', '\r', '\u2028', '\t', '', ';\n');

const soup = fc
  .array(fc.tuple(fc.constantFrom(...TOKENS, ...TEMPLATE), separator), { maxLength: 30 })
  .map((parts) => parts.flat().join(''));

const GOOD = [
  'const { value } = await tools.double({ value: 21 });\nreturn value;',
  'const rows = [1, 2, 3].map((n) => ({ n, square: n ** 2 }));\nconsole.log(rows);\nreturn rows.filter(({ n }) => n > 1);',
  'class Point {\n  #x = 1;\n  static of() {\n    return new Point();\n  }\n  get x() {\n    return this.#x;\n  }\n}\nreturn Point.of().x;',
  'try {\n  null.x;\n} catch ({ message }) {\n  return `failed: ` + message;\n} finally {\n  label: for (const i of [1]) continue label;\n}',
  'function* g() {\n  yield* [1, 2];\n}\nreturn [...g()].at(-1) ?? /(?<y>\\d+)/u.exec("2024")?.groups.y;',
  '```js\nconst a = 1;\nreturn a;\n```',
  'async () => {\n  return await Promise.all([1, 2]);\n}',
  'const n: number = 1;\nreturn n as number;',
];

/** One to three places cut, doubled, or overwritten. */
const broken = fc
  .tuple(
    fc.constantFrom(...GOOD),
    fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.integer({ min: 0, max: 8 }),
        text: fc.oneof(fc.constantFrom(...TOKENS, ...TEMPLATE), jsonText, fc.constant('')),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([text, edits]) => {
    let result = text;
    for (const { at, cut, text: inserted } of edits) {
      const index = Math.floor(at * result.length);
      result = result.slice(0, index) + inserted + result.slice(index + cut);
    }
    return result;
  });

export const programText = fc
  .oneof(soup, broken, fc.string({ unit: 'binary', maxLength: 80 }), jsonText)
  .filter((text) => text !== '');
