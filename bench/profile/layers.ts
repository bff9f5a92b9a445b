/** Which layer a sample belongs to: whose thread it is, and what that was doing. */
import { basename } from 'node:path';
import type { Threads } from './cpu-time.js';
import type { Frame, PerfRecording } from './perf.js';

export const PLACES = ['main', 'workers', 'others', 'launchers', 'sandbox', 'deferred'] as const;

/** `deferred`: what the kernel does in threads of its own, afterwards; not only for us, where the machine has other work. */
export type Place = (typeof PLACES)[number];

/** Samples of each layer of each place. */
export type Layers = Map<Place, Map<string, number>>;

const KERNEL = '[kernel.kallsyms]';

/** Every way into the kernel passes through these; what follows says what it is about. */
const ENTRY = /^(entry_|asm_|do_syscall_64$|x64_sys_call$)/;
const SYSTEM_CALL = /^(?:__(?:x64|do|se)_sys_|__sys_|ksys_|do_sys_|do_)(\w+)/;
const ENGINE = /^(w2c_|Z_|wasm_rt)/;

/** Samples of processes that are none of ours are left out. */
export function layersOf(recording: PerfRecording, threads: Threads): Layers {
  const layers: Layers = new Map();
  for (const { process, thread, frames } of recording.samples) {
    const place = placeOf(process, thread, recording.parents, threads) ?? placeOfKernel(frames);
    if (place === undefined) continue;
    const layer = layerOf(place, frames);
    const ofPlace = layers.get(place) ?? new Map<string, number>();
    layers.set(place, ofPlace.set(layer, (ofPlace.get(layer) ?? 0) + 1));
  }
  return layers;
}

function placeOf(
  process: number,
  thread: number,
  parents: Map<number, number>,
  { main, workers, launchers }: Threads,
): Place | undefined {
  if (process === main) return thread === main ? 'main' : workers.includes(thread) ? 'workers' : 'others';
  if (launchers.includes(process)) return 'launchers';
  return launchers.includes(parents.get(process) ?? 0) ? 'sandbox' : undefined;
}

function placeOfKernel(frames: Frame[]): Place | undefined {
  return deferredWork(frames) === undefined ? undefined : 'deferred';
}

/** The function of a work queue's item, or of a softirq that a thread took over. */
function deferredWork(frames: Frame[]): string | undefined {
  const runner = frames.findIndex(
    ({ symbol }) => symbol === 'process_one_work' || symbol === 'run_ksoftirqd',
  );
  return runner < 0 ? undefined : frames[Math.max(0, runner - 1)]?.symbol;
}

function layerOf(place: Place, frames: Frame[]): string {
  const [innermost] = frames;
  if (innermost === undefined) return 'unknown';
  if (place === 'deferred') return deferredWork(frames) ?? 'unknown';
  if (innermost.binary !== KERNEL) return userLayer(place, innermost);
  return `kernel, ${kernelLayer(frames.filter(({ binary }) => binary === KERNEL).map(({ symbol }) => symbol))}`;
}

/** By what entered the kernel: a call, a fault, an interrupt. */
function kernelLayer(symbols: string[]): string {
  const outermost = symbols.at(-1) ?? '';
  if (symbols.includes('do_exit')) return 'exit';
  if (outermost.startsWith('ret_from_fork')) return 'first steps of a clone';
  if (outermost === 'asm_exc_page_fault') return 'page faults';
  if (outermost.startsWith('asm_sysvec')) return 'interrupts';
  const call = symbols.findLast((symbol) => !ENTRY.test(symbol));
  const [, name] = SYSTEM_CALL.exec(call ?? '') ?? [];
  return name ?? 'entry and return';
}

function userLayer(place: Place, { symbol, binary }: Frame): string {
  const file = basename(binary);
  if (ENGINE.test(symbol)) return 'engine';
  if (place === 'sandbox') return 'runner and C library';
  if (place === 'launchers') return 'launcher and C library';
  if (file === 'wardenpool.node') return 'addon';
  if (file.startsWith('node')) return symbol.startsWith('Builtins_') ? 'JavaScript' : 'V8 and libuv';
  return /\.so(\.|$)/.test(file) ? 'C library' : 'JavaScript'; // compiled code is in no file
}
