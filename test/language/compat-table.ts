/**
 * The public feature tests of kangax's compat-table for ECMAScript 5 to 2019, as questions to the guest. Each is a
 * sloppy-mode function that returns true, or calls asyncTestPassed().
 */
import { createRequire } from 'node:module';
import type { Feature } from './feature.js';

interface Test {
  name: string;
  category?: string;
  exec?: () => unknown;
  subtests?: Test[];
}

const require = createRequire(import.meta.url);
const data = (name: string): Test[] => (require(`compat-table/${name}`) as { tests: Test[] }).tests;

/** What the tests of compat-table find on its page. */
const PRELUDE = `
globalThis.global = globalThis;
globalThis.__createIterableObject = function (values, methods) {
  var index = 0;
  var iterator = {
    next: function () { return index < values.length ? { value: values[index++], done: false } : { value: undefined, done: true }; },
    return: methods && methods['return'],
    throw: methods && methods['throw'],
  };
  var iterable = {};
  iterable[Symbol.iterator] = function () { return iterator; };
  return iterable;
};
`;

/** Without the indentation of the file: a template literal of a test would contain it. */
function dedent(code: string): string {
  const indents = code.match(/^ *(?=\S)/gm) ?? [''];
  const common = Math.min(...indents.slice(code.startsWith('\n') ? 0 : 1).map(({ length }) => length));
  return code.replace(new RegExp(`^ {${common}}`, 'gm'), '');
}

function program(exec: () => unknown): string {
  const source = String(exec);
  // Most of them are kept in a comment, so that every engine can load the file.
  const [, commented] = /^function ?\(\) ?\{\s*\/\*([\s\S]*)\*\/\s*\}$/.exec(source) ?? [];
  const test = commented === undefined ? `(${source})` : `(function () {${dedent(commented)}\n})`;
  return `${PRELUDE}
return await new Promise((resolve) => {
  globalThis.asyncTestPassed = () => resolve(true);
  const value = (0, eval)(${JSON.stringify(test)})();
  if (value !== undefined || ${!test.includes('asyncTestPassed')}) resolve(Boolean(value));
});`;
}

function features(tests: Test[], editionOf: (test: Test) => string): Feature[] {
  return tests.flatMap((test) =>
    (test.subtests ?? [test]).flatMap(({ name, exec }) =>
      exec === undefined
        ? []
        : [
            {
              edition: editionOf(test),
              group: test.name,
              name: test.subtests === undefined ? '' : name,
              code: program(exec),
            },
          ],
    ),
  );
}

/** '2017 features', '2019 misc': the year comes first. */
const yearOf = ({ category = '' }: Test): string => category.slice(0, 4);

export const compatTable: Feature[] = [
  ...features(data('data-es5'), () => '5'),
  ...features(data('data-es6'), () => '2015'),
  // What it says of 2020 was a proposal then; the features of 2020 have their own table.
  ...features(
    data('data-es2016plus').filter((test) => yearOf(test) < '2020'),
    yearOf,
  ),
];
