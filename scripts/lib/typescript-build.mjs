// Compiles src/ to dist/, incrementally, and removes from dist/ what has no source any more.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.mjs';
import { ExplainedError, filesBelow, root, stateDirectory, timed } from './project.mjs';
import { digestOf, isStamped, removeStamp, writeStamp } from './stamp.mjs';

const compileTimeoutMs = 5 * 60_000;
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const incrementalState = join(stateDirectory, 'src.tsbuildinfo');
const emittedSuffixes = ['.js', '.js.map', '.d.ts'];

const sources = () => filesBelow('src').filter((path) => path.endsWith('.ts'));

const inputDigest = () => digestOf([], ['tsconfig.json', 'package-lock.json', ...filesBelow('src')]);

/** @param {readonly string[]} sourceFiles */
const outputsOf = (sourceFiles) =>
  sourceFiles.flatMap((path) =>
    emittedSuffixes.map((suffix) => path.replace(/^src/, 'dist').replace(/\.ts$/, suffix)),
  );

export function isTypescriptCurrent() {
  return isStamped('typescript', inputDigest());
}

export function buildTypescript() {
  if (!existsSync(compiler)) {
    throw new ExplainedError('node_modules has no TypeScript compiler; run node scripts/setup.mjs');
  }
  const inputs = inputDigest();
  const outputs = outputsOf(sources());
  removeStamp('typescript');
  removeStale(new Set(outputs));
  // The compiler's memory says what it has emitted, and not whether it is still there.
  if (!outputs.every((path) => existsSync(join(root, path)))) rmSync(incrementalState, { force: true });
  mkdirSync(stateDirectory, { recursive: true });
  const args = [
    compiler,
    '--project',
    'tsconfig.json',
    '--incremental',
    '--tsBuildInfoFile',
    incrementalState,
  ];
  timed('compiling src/ to dist/', () =>
    run(process.execPath, [...args, '--noEmitOnError'], { timeoutMs: compileTimeoutMs }),
  );
  writeStamp('typescript', inputs, outputs);
}

/** @param {ReadonlySet<string>} wanted */
function removeStale(wanted) {
  for (const path of filesBelow('dist')) {
    const isEmitted = emittedSuffixes.some((suffix) => path.endsWith(suffix));
    if (isEmitted && !wanted.has(path)) rmSync(join(root, path));
  }
}
