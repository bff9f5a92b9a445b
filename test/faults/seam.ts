/**
 * The seam for faults that no machine has on demand, from the test's side: a copy of the package whose launcher or addon fails as it is
 * told. Layouts mirror `native/faults/faults.h`.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const NAME_BYTES = 16;
const LOG_CALLS = 8192;
const CALL_BYTES = 32;
const Offset = {
  depth: 16,
  skip: 20,
  times: 24,
  error: 28,
  place: 32,
  clockShift: 40,
  matched: 48,
  carriedOut: 52,
  logged: 56,
  log: 64,
} as const;

/** What goes wrong instead of an errno. */
const ENDS = { dies: -1, 'dies halfway': -2, 'falls silent halfway': -3, segfaults: -4 } as const;

/** The name of an errno, or what becomes of the process that makes the call. */
export type Fault = keyof typeof constants.errno | keyof typeof ENDS;

export interface Order {
  fault: Fault;
  /**
   * Clones between the process that was started and the one in which it happens; from 8 on, the process that another program has
   * executed. Default: 0.
   */
  depth?: number;
  /** As the C library names it. Default: any. */
  call?: string;
  /** Of the log. Default: anywhere. */
  place?: bigint;
  /** Of the calls that match, how many succeed first. Default: 0. */
  skip?: number;
  /** How many fail then. Default: 1. */
  times?: number;
}

/** A place in the code from which a process makes a call. */
export interface CallSite {
  depth: number;
  call: string;
  place: bigint;
  /** How often it was made from there. */
  times: number;
}

/** The file that a test and the processes of launchers share. */
export class Faults {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w+');
    ftruncateSync(this.#file, Offset.log + LOG_CALLS * CALL_BYTES);
    chmodSync(path, 0o666);
  }

  /** From now on, until `clear()`. */
  order({ fault, depth = 0, call = '', place = 0n, skip = 0, times = 1 }: Order): void {
    this.clear();
    const bytes = Buffer.alloc(Offset.logged);
    bytes.write(call, 0, NAME_BYTES, 'latin1');
    bytes.writeUInt32LE(depth, Offset.depth);
    bytes.writeUInt32LE(skip, Offset.skip);
    bytes.writeInt32LE(numberOf(fault), Offset.error);
    bytes.writeBigUInt64LE(place, Offset.place);
    this.#write(bytes, 0);
    // It is in force with this.
    bytes.writeUInt32LE(times, Offset.times);
    this.#write(bytes.subarray(Offset.times, Offset.times + 4), Offset.times);
  }

  /** Moves the wall clock of every process that is there, and of those to come. */
  shiftClock(seconds: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    this.#write(bytes, Offset.clockShift);
  }

  /** Nothing fails any more, and the log is empty. */
  clear(): void {
    this.#write(Buffer.alloc(4), Offset.times);
    this.#write(Buffer.alloc(Offset.log), 0);
  }

  /** How many calls failed by the last order. */
  get carriedOut(): number {
    return this.#read(Offset.carriedOut, 4).readUInt32LE();
  }

  /** Each place from which a call was made since `clear()`, in the order of the first. */
  callSites(): CallSite[] {
    const logged = this.#read(Offset.logged, 4).readUInt32LE();
    assert.ok(logged <= LOG_CALLS, `${logged} calls are more than the log has room for`);
    const bytes = this.#read(Offset.log, logged * CALL_BYTES);
    const sites = new Map<string, CallSite>();
    for (let at = 0; at < bytes.length; at += CALL_BYTES) {
      const call = bytes.toString('latin1', at, at + NAME_BYTES).replace(/\0.*/s, '');
      const place = bytes.readBigUInt64LE(at + NAME_BYTES);
      const depth = bytes.readUInt32LE(at + NAME_BYTES + 8);
      const key = `${depth} ${place}`;
      const site = sites.get(key) ?? { depth, call, place, times: 0 };
      site.times++;
      sites.set(key, site);
    }
    return [...sites.values()];
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(bytes: Buffer, position: number): void {
    assert.equal(writeSync(this.#file, bytes, 0, bytes.length, position), bytes.length);
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    assert.equal(readSync(this.#file, bytes, 0, length, position), length);
    return bytes;
  }
}

function numberOf(fault: Fault): number {
  return fault in ENDS
    ? ENDS[fault as keyof typeof ENDS]
    : constants.errno[fault as keyof typeof constants.errno];
}

/** A copy of the package with one faulty part. Several may be in one process, each with its addon. */
export interface FaultyPackage {
  faults: Faults;
  directory: string;
  wardenpool: typeof import('wardenpool');
  executor: typeof import('wardenpool/executor');
  /** What a pool's threads have inside. */
  Executor: typeof import('../../src/executor/executor.js').Executor;
  remove(): void;
}

export async function faultyPackage(part: 'launcher' | 'addon'): Promise<FaultyPackage> {
  const directory = mkdtempSync(join(tmpdir(), 'wardenpool-test-'));
  chmodSync(directory, 0o755);
  for (const each of ['package.json', 'dist'])
    cpSync(join(ROOT, each), join(directory, each), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const built = (name: string) => join(ROOT, 'build/Release', name);
  const release = join(directory, 'build/Release');
  mkdirSync(release, { recursive: true });
  const [addon, launcher] =
    part === 'addon' ? ['faulty-addon.so', 'wardenpool-launcher'] : ['wardenpool.node', 'faulty-launcher'];
  for (const name of [addon, launcher])
    assert.ok(existsSync(built(name)), `this test needs ${built(name)}, which "npm run build" makes`);
  cpSync(built(addon), join(release, 'wardenpool.node'));
  cpSync(built(launcher), join(release, 'wardenpool-launcher'));
  cpSync(built('code-runner'), join(release, 'code-runner'));
  const path = join(release, 'wardenpool-launcher.faults');
  const faults = new Faults(path);
  // Read when the addon is loaded; a launcher has its own beside it.
  if (part === 'addon') process.env['WARDENPOOL_FAULTS'] = path;
  const load = (entry: string) => import(pathToFileURL(join(directory, 'dist', entry)).href);
  return {
    faults,
    directory,
    wardenpool: (await load('index.js')) as typeof import('wardenpool'),
    executor: (await load('executor/index.js')) as typeof import('wardenpool/executor'),
    Executor: (await load('executor/executor.js')).Executor,
    remove() {
      faults.close();
      rmSync(directory, { recursive: true });
    },
  };
}
