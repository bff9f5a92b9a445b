/**
 * `npm run bench:profile`: where the time of one execution goes, as Markdown. How much CPU time each thread and process
 * takes is the scheduler's own count, with no profiler at work; perf and `--cpu-prof` then only say how to divide it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { type JavascriptTime, readJavascriptTime } from './javascript.js';
import { type Layers, layersOf } from './layers.js';
import { checkPerf, type PerfRecording, recordPerf } from './perf.js';
import { profiledLoad } from './profiled-load.js';
import { fileTable, layerTable, placeTable } from './tables.js';

const RUN_MS = 4_000;
/** perf takes a while to start. */
const PERF_MARGIN_MS = 1_000;

new Command('npm run bench:profile')
  .description('where the CPU time of one execution goes, as Markdown; needs perf')
  .parse();

try {
  await checkPerf();
  const { perRun } = await profiledLoad(RUN_MS);
  const layers = await perfLayers();
  const javascript = await javascriptTime();
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Linux ${release()}, Node.js ${process.versions.node}`;
  console.log(`CPU time of one execution with one tool call, 16 in flight (${machine}):

${placeTable(perRun, layers)}

What runs there, by perf:

${layerTable(perRun, layers)}

JavaScript on the main thread, by --cpu-prof:

${fileTable(javascript.main, perRun.main)}

JavaScript on the worker threads:

${fileTable(javascript.workers, perRun.workers)}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function perfLayers(): Promise<Layers> {
  let recording: PerfRecording = { samples: [], parents: new Map() };
  const threads = await profiledLoad(RUN_MS + PERF_MARGIN_MS, [], async () => {
    recording = await recordPerf(RUN_MS);
  });
  return layersOf(recording, threads);
}

async function javascriptTime(): Promise<JavascriptTime> {
  const folder = mkdtempSync(join(tmpdir(), 'wardenpool-profile-'));
  try {
    const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
    const { from, to } = await profiledLoad(RUN_MS, options);
    return readJavascriptTime(folder, from, to);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
