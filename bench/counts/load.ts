/**
 * The executions that are counted, in a process of their own: one tool call each, one in flight, one worker thread, the warm
 * set as it is by default. They come in blocks. The argument says what marks the ends of a block: `counters`, what the
 * kernel counted up to there; or `trace`, a system call that is made for nothing else. Prints a `Load` as JSON.
 */
import { readdirSync } from 'node:fs';
import { createPool } from 'wardenpool';
import { treeOf } from '../tree-cpu.js';
import { checkAnswer, ONE_CALL, TOOLS } from '../workloads.js';
import { type KernelCounters, readCounters } from './kernel-counters.js';

export type Marking = 'counters' | 'trace';

export interface Load {
  executionsPerBlock: number;
  mainThread: number;
  /** Of this process, the main one included. */
  threads: number[];
  launcher: number;
  /** With `counters`: before the first block, and after each. */
  marks: { node: KernelCounters; launcher: KernelCounters }[];
  /** Of the sandbox of each execution. */
  sandboxes: KernelCounters[];
}

/** So many that most blocks have the same share of what is not part of every execution. */
const EXECUTIONS_PER_BLOCK = 10;

/** Until the warm set has its size, and code that is used often is compiled. */
const WARM_UP = 60;

/** Executions take some twenty times longer under a trace. */
const BLOCKS: Record<Marking, number> = { counters: 40, trace: 12 };

async function load(marking: Marking): Promise<Load> {
  const pool = await createPool({ threads: 1 });
  const run = async () => {
    const result = await pool.run(ONE_CALL.program, TOOLS);
    checkAnswer('wardenpool', ONE_CALL, result.ok ? result.value : result.error);
    const { minorFaults, voluntaryContextSwitches } = result.receipt.usage;
    return { minorFaults, voluntarySwitches: voluntaryContextSwitches };
  };
  for (let i = 0; i < WARM_UP; i++) await run();

  const [, launcher] = treeOf(process.pid);
  if (launcher === undefined) throw new Error('the pool has no launcher: its process has no child');
  const marks: Load['marks'] = [];
  const mark = () => {
    if (marking === 'trace') process.kill(process.pid, 0);
    else marks.push({ node: readCounters(process.pid), launcher: readCounters(launcher) });
  };
  const sandboxes: KernelCounters[] = [];
  mark();
  for (let block = 0; block < BLOCKS[marking]; block++) {
    for (let i = 0; i < EXECUTIONS_PER_BLOCK; i++) sandboxes.push(await run());
    mark();
  }
  const threads = readdirSync('/proc/self/task').map(Number);
  await pool.close();
  return {
    executionsPerBlock: EXECUTIONS_PER_BLOCK,
    mainThread: process.pid,
    threads,
    launcher,
    marks,
    sandboxes,
  };
}

console.log(JSON.stringify(await load(process.argv[2] === 'trace' ? 'trace' : 'counters')));
