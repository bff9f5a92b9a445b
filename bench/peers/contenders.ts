/** Everything that is measured: ours, and each peer as a user would run it and spread over as many threads as ours. */

import type { Subject } from '../subject.js';
import { bubblewrapSubject } from '../subjects/bubblewrap.js';
import { wardenpoolSubject } from '../subjects/wardenpool.js';
import { subjectOf } from './main-thread.js';
import type { Peer, PeerModule } from './peer.js';
import { startOnThreads } from './worker-threads.js';

export interface Contender {
  /** What `--only` takes. */
  readonly peer: string;
  /** The peer, and the way it is used if it is not the plain one. */
  readonly name: string;
  /** What is between a program and the host, or another program. */
  readonly isolates: string;
  start(): Promise<Subject>;
}

export const OURS = 'wardenpool';

/** Peers that are called in this process. */
const IN_PROCESS = [
  { peer: 'isolated-vm', file: 'isolated-vm', isolates: 'V8 isolate in the process' },
  { peer: 'quickjs-emscripten', file: 'quickjs-emscripten', isolates: 'runtime in a shared WASM memory' },
  { peer: 'quickjs-wasi', file: 'quickjs-wasi', isolates: 'WASM memory in the process' },
  {
    peer: '@sebastianwessel/quickjs',
    file: 'sebastianwessel-quickjs',
    isolates: 'runtime in a shared WASM memory',
  },
];

export function contenders(threads: number): Contender[] {
  const spread = (peer: string) => `${peer}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  return [
    {
      peer: OURS,
      name: OURS,
      isolates: 'process, seccomp, namespaces, WASM',
      start: () => wardenpoolSubject(OURS, { threads }),
    },
    ...IN_PROCESS.flatMap(({ peer, file, isolates }) => {
      const module = new URL(`./subjects/${file}.ts`, import.meta.url).href;
      const startHere = async () => ((await import(module)) as PeerModule).start();
      return [
        contender(peer, peer, isolates, startHere),
        contender(peer, spread(peer), isolates, async () => startOnThreads(module, threads)),
      ];
    }),
    ...['run', spread('run')].map((name) =>
      contender('run', name, 'WASM memory in a worker thread', async () => {
        const run = await import('./subjects/run.js');
        return name === 'run' ? run.start() : run.startOnThreads(threads);
      }),
    ),
    {
      peer: 'bwrap',
      name: 'bwrap + code-runner',
      isolates: 'process, namespaces, WASM',
      start: bubblewrapSubject,
    },
    ...['node', 'code-runner'].map((runner) =>
      contender(
        '@anthropic-ai/sandbox-runtime',
        `@anthropic-ai/sandbox-runtime + ${runner}`,
        `process, namespaces; may read files${runner === 'node' ? '' : '; WASM'}`,
        async () => {
          const runtime = await import('./subjects/sandbox-runtime.js');
          return runner === 'node' ? runtime.startWithNode() : runtime.startWithCodeRunner();
        },
      ),
    ),
  ];
}

function contender(peer: string, name: string, isolates: string, start: () => Promise<Peer>): Contender {
  return { peer, name, isolates, start: async () => subjectOf(name, await start()) };
}
