// Runs the suite's core under every version of Node.js that is pinned in scripts/node-versions, one after the other.
//   node scripts/matrix.mjs [--all] [--node MAJOR | --others] [MOCHA OPTIONS]
// `--all`: every suite that a version of Node.js can make a difference to. `--node 22`: only under that one. `--others`: under all but
// the major version that this runs under.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runMocha } from './lib/mocha.mjs';
import { pinnedMajors, provideNode } from './lib/node-versions.mjs';
import { ExplainedError, runScript, say } from './lib/project.mjs';
import { inTemporaryDirectory } from './lib/temporary-directory.mjs';

/** @typedef {import('./lib/node-versions.mjs').NodeVersion} NodeVersion */

const timeoutMs = 60 * 60_000;

/** A busy machine is slower than the tests are used to. */
const oneTestTimeoutMs = 180_000;

/** What rests on Node.js: Node-API, worker threads, streams, child processes, modules. */
const core = [
  'test/bridge/*.test.ts',
  'test/pool/*.test.ts',
  'test/tools/*.test.ts',
  'test/source/*.test.ts',
  'test/cli/*.test.ts',
  'test/executor/executor.test.ts',
  'test/executor/receipts.test.ts',
];

const all = [
  'bridge',
  'pool',
  'tools',
  'source',
  'supply',
  'policy',
  'cli',
  'executor',
  'e2e',
  'properties',
].map((suite) => `test/${suite}/**/*.test.ts`);

function readArguments() {
  const rest = process.argv.slice(2);
  const at = rest.indexOf('--node');
  const [, chosen] = at < 0 ? [] : rest.splice(at, 2);
  const ours = Number(process.versions.node.split('.')[0]);
  const majors = pinnedMajors();
  if (at >= 0 && !majors.includes(Number(chosen)))
    throw new ExplainedError(`there is no Node.js '${chosen}'; there are ${majors.join(', ')}`);
  const others = rest.includes('--others') ? majors.filter((major) => major !== ours) : majors;
  return {
    majors: at < 0 ? others : [Number(chosen)],
    files: rest.includes('--all') ? all : core,
    forMocha: rest.filter((text) => text !== '--all' && text !== '--others'),
  };
}

/**
 * @param {NodeVersion} node
 * @param {string[]} args  of mocha
 * @returns {{ isPassed: boolean, line: string }} what became of it, in words
 */
function runUnder({ version, program, binaries }, args) {
  const title = `Node.js ${version}`;
  say(`${title} …`);
  return inTemporaryDirectory((directory) => {
    const counts = join(directory, 'counts');
    const isPassed = runMocha({
      title,
      args: ['--timeout', String(oneTestTimeoutMs), '--reporter', './scripts/counting-reporter.mjs', ...args],
      timeoutMs,
      node: program,
      environment: {
        // What tests start by name, and what #!/usr/bin/env finds, is to be the same version.
        PATH: `${binaries}${delimiter}${process.env['PATH'] ?? ''}`,
        WARDENPOOL_TEST_COUNTS: counts,
      },
    });
    if (!existsSync(counts)) return { isPassed: false, line: `${title}: mocha did not get to its end` };
    const text = readFileSync(counts, 'utf8');
    const asked = process.env['WARDENPOOL_TEST_COUNTS'];
    if (asked) appendFileSync(asked, text);
    const [passes, failures] = text.trim().split(' ');
    return { isPassed, line: `${title}: ${passes} passed, ${failures} failed` };
  });
}

runScript(() => {
  const { majors, files, forMocha } = readArguments();
  const nodes = majors.map(provideNode);
  const results = nodes.map((node) => runUnder(node, [...forMocha, ...files]));
  for (const { line } of results) say(line);
  if (!results.every(({ isPassed }) => isPassed))
    throw new ExplainedError('not every version of Node.js passed');
});
