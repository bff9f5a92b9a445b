/** Where JavaScript spends its time, from the profiles that `node --cpu-prof` writes: by file, since a layer is some files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  /** Microseconds, by the kernel's monotonic clock. */
  startTime: number;
  /** The node of each, and microseconds since the one before. */
  samples: number[];
  timeDeltas: number[];
}

/** Microseconds in which the thread did not wait; by file, or by what it is that no file asked for. The addon's is its caller's. */
export type Time = Map<string, number>;

export interface JavascriptTime {
  main: Time;
  /** Of all of them. */
  workers: Time;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Native functions below this share of a thread's time are added to the file that calls them. */
const SMALLEST_NATIVE_SHARE = 0.01;

/** `folder`: of the profiles; `from`, `to`: the time to look at. */
export function readJavascriptTime(folder: string, from: number, to: number): JavascriptTime {
  const times = readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile)
    .map((profile) => timeOf(profile, from, to));
  // Threads that are neither only load modules.
  return {
    main: sumOf(times.filter((time) => time.has('src/pool/pool.ts'))),
    workers: sumOf(times.filter((time) => time.has('src/pool/worker/execution.ts'))),
  };
}

function timeOf(profile: CpuProfile, from: number, to: number): Time {
  const owners = ownersOf(profile);
  const time: Time = new Map();
  let at = profile.startTime;
  profile.samples.forEach((node, index) => {
    const took = profile.timeDeltas[index] ?? 0;
    at += took;
    const owner = owners.get(node) ?? '(root)';
    if (at >= from && at <= to && owner !== '(idle)') time.set(owner, (time.get(owner) ?? 0) + took);
  });
  return foldSmallNatives(time);
}

/** Whose the time of each node is: its file's; of a native function, "file, function()". */
function ownersOf({ nodes }: CpuProfile): Map<number, string> {
  const callers = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  return new Map(
    nodes.map((node) => {
      const { functionName, url } = node.callFrame;
      const file = fileOf(url);
      if (file !== undefined) return [node.id, file];
      let caller = callers.get(node.id);
      while (caller !== undefined && caller.callFrame.url === '') caller = callers.get(caller.id);
      const calling = fileOf(caller?.callFrame.url ?? '');
      return [node.id, calling === undefined ? functionName : `${calling}, ${functionName}()`];
    }),
  );
}

/** As the reader knows it: our own by its path, a package or Node.js as a whole. */
function fileOf(url: string): string | undefined {
  if (url.startsWith('node:')) return 'Node.js';
  if (!url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url);
  const [, packageName] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (packageName !== undefined) return packageName;
  return path.replace(ROOT, '').replace(/^dist\/(.*)\.js$/, 'src/$1.ts');
}

function foldSmallNatives(time: Time): Time {
  const all = [...time.values()].reduce((a, b) => a + b, 0);
  return sumOf(
    [...time].map(([owner, took]) => {
      const [file = owner] = owner.split(', ');
      return new Map([[took < all * SMALLEST_NATIVE_SHARE ? file : owner, took]]);
    }),
  );
}

function sumOf(times: Time[]): Time {
  const total: Time = new Map();
  for (const time of times)
    for (const [owner, took] of time) total.set(owner, (total.get(owner) ?? 0) + took);
  return total;
}
