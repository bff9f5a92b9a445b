/** npm run soak:terminal [-- RUNS]: no terminal frame is lost in so many runs, by the runner and by a pool. */
import { fileURLToPath } from 'node:url';
import { type Soaked, soakPool, soakRunner } from './terminal-frames.js';

const RUNS = 10_000;
const SHOWN = 5;
const [word = String(RUNS)] = process.argv.slice(2);
const runs = Number(word);

function report(name: string, { runs: made, lost, seconds }: Soaked): void {
  const right = made - lost.length;
  process.stdout.write(`${name}: ${right} of ${made} results arrived, in ${seconds.toFixed(1)} s\n`);
  for (const message of lost.slice(0, SHOWN)) process.stdout.write(`  ${message.replaceAll('\n', '\n  ')}\n`);
  if (lost.length > 0) process.exitCode = 1;
}

if (Number.isSafeInteger(runs) && runs > 0) {
  const command = fileURLToPath(new URL('../../../build/Release/code-runner', import.meta.url));
  report('code-runner', await soakRunner({ command, arguments: [] }, runs));
  report('pool', await soakPool(runs));
} else {
  process.stderr.write(
    `the number of runs must be from 1, not '${word}'\nUsage: npm run soak:terminal [-- RUNS]\n`,
  );
  process.exitCode = 2;
}
