/*
 * URL and URLSearchParams against the standard: the inputs of the Web Platform Tests (in the npm package @wordpress/url),
 * and what the reference implementation (whatwg-url) makes of them. docs/url.md publishes the figures; they are written
 * there by WARDENPOOL_WRITE_DOCS=1.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import PQueue from 'p-queue';
import { resultOf } from './helper.js';

const require = createRequire(import.meta.url);
const reference = require('whatwg-url') as { URL: typeof URL; URLSearchParams: typeof URLSearchParams };
const data = fileURLToPath(
  new URL('../../../node_modules/@wordpress/url/src/test/fixtures/wpt-data.json', import.meta.url),
);
const page = fileURLToPath(new URL('../../../docs/url.md', import.meta.url));
const START = '<!-- measured -->';
const END = '<!-- end -->';

const inputs = (JSON.parse(readFileSync(data, 'utf8')) as { input: string }[]).map(({ input }) => input);

/** Each input stands alone, and is resolved against each of these. */
const bases = ['http://example.org/foo/bar?q#f', 'file:///c:/x/y', 'about:blank', 'non-special://h/p'];
/** Each input is assigned to each settable part of each of these. */
const changed = ['https://u:p@example.net:8080/a?b#c', 'file:///c:/x', 'mailto:me', 'non-special:/p'];
const parts = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
];

type Row = [kind: string, ...parameters: (string | null)[]];

/** The rows, and a function that evaluates one, given the classes: the same text in the sandbox and here. */
const rows: Row[] = [
  ...inputs.flatMap((input): Row[] => [null, ...bases].map((base) => ['parse', input, base])),
  ...inputs.flatMap((input): Row[] =>
    changed.flatMap((url) => parts.map((part): Row => ['set', url, part, input])),
  ),
  ...inputs.map((input): Row => ['params', input]),
];

const EVALUATE = `(URL, URLSearchParams) => {
  const parts = ${JSON.stringify(['origin', ...parts])};
  const all = (url) => [...parts.map((part) => url[part]), [...url.searchParams]];
  const kinds = {
    parse: (input, base) => all(base === null ? new URL(input) : new URL(input, base)),
    set: (text, part, value) => { const url = new URL(text); url[part] = value; return all(url) },
    params: (text) => { const params = new URLSearchParams(text); params.sort(); return [[...params], String(params)] },
  };
  return ([kind, ...parameters]) => {
    try { return JSON.stringify(kinds[kind](...parameters)) } catch (error) { return error.name }
  };
}`;

const KINDS: [kind: string, title: string][] = [
  ['parse', 'parsing, alone and against four bases: every part, and the search parameters'],
  ['set', 'assigning each input to each part of four URLs'],
  ['params', 'reading, sorting and writing search parameters'],
];

/** In runs of this many rows: a program and its result must fit their limits. */
const BATCH = 1500;

async function inSandbox(): Promise<string[]> {
  // Batches only compute: as many at a time as there are processors.
  const queue = new PQueue({ concurrency: availableParallelism() });
  const starts = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, index) => index * BATCH);
  const results = await queue.addAll(
    starts.map((start) => () => {
      const batch = JSON.stringify(rows.slice(start, start + BATCH));
      const code = `return ${batch}.map((${EVALUATE})(URL, URLSearchParams))`;
      const limits = { timeoutMs: 60_000, maxResultBytes: 1_000_000 };
      return resultOf(code, { limits }) as Promise<string[]>;
    }),
  );
  return results.flat();
}

function outside(): string[] {
  const evaluate = runInThisContext(`(${EVALUATE})`) as (...classes: unknown[]) => (row: Row) => string;
  return rows.map(evaluate(reference.URL, reference.URLSearchParams));
}

describe('code-runner: URL, against the standard', () => {
  it('agrees with docs/url.md on how many cases it agrees with the reference implementation', async () => {
    const expected = outside();
    const actual = await inSandbox();
    const failures = rows.filter((_, index) => actual[index] !== expected[index]);
    const figures = KINDS.map(([kind, title]) => {
      const total = rows.filter((row) => row[0] === kind).length;
      const failed = failures.filter((row) => row[0] === kind).length;
      return `| ${title} | ${total} | ${total - failed} |`;
    });
    const list = failures.map(([, ...parameters]) => `- \`${JSON.stringify(parameters)}\``);
    const measured = [
      '| cases | number | as the reference has it |',
      '|---|---:|---:|',
      ...figures,
      '',
      failures.length === 0 ? 'No case differs.' : `These differ:\n\n${list.join('\n')}`,
    ].join('\n');
    const text = readFileSync(page, 'utf8');
    const [before = '', rest = ''] = text.split(START);
    const [published = '', after = ''] = rest.split(END);
    if (process.env['WARDENPOOL_WRITE_DOCS'] === '1') {
      writeFileSync(page, `${before}${START}\n\n${measured}\n\n${END}${after}`);
    } else {
      assert.equal(
        published.trim(),
        measured,
        'docs/url.md is out of date: run this with WARDENPOOL_WRITE_DOCS=1',
      );
    }
  });
});
