/** npm run soak:terminal [-- RUNS [runner|pool]]: no terminal frame is lost in so many runs, by the runner and by a pool. */
import { fileURLToPath } from 'node:url';
import { type Soaked, soakPool, soakRunner } from './terminal-frames.js';

const RUNS = 10_000;
const SHOWN = 5;
const USAGE = 'Usage: npm run soak:terminal [-- RUNS [runner|pool]]\n';

const command = fileURLToPath(new URL('../../../build/Release/code-runner', import.meta.url));
const subjects: Record<string, (runs: number) => Promise<Soaked>> = {
  runner: (runs) => soakRunner({ command, arguments: [] }, runs),
  pool: soakPool,
};

function report(name: string, { runs, lost, seconds }: Soaked): void {
  process.stdout.write(
    `${name}: ${runs - lost.length} of ${runs} results arrived, in ${seconds.toFixed(1)} s\n`,
  );
  for (const message of lost.slice(0, SHOWN)) process.stdout.write(`  ${message.replaceAll('\n', '\n  ')}\n`);
  if (lost.length > 0) process.exitCode = 1;
}

const [word = String(RUNS), only] = process.argv.slice(2);
const runs = Number(word);
const chosen = Object.entries(subjects).filter(([name]) => only === undefined || name === only);
if (!Number.isSafeInteger(runs) || runs < 1) {
  process.stderr.write(`the number of runs must be from 1, not '${word}'\n${USAGE}`);
  process.exitCode = 2;
} else if (chosen.length === 0) {
  process.stderr.write(`there is no '${only}' to soak\n${USAGE}`);
  process.exitCode = 2;
} else {
  for (const [name, soak] of chosen) report(name, await soak(runs));
}
