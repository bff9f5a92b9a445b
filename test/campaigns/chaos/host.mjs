// A host under work, to be killed, or to have its launchers and sandboxes killed: a pool with runs of all kinds, and commands under way.
// It says over IPC when it is at work; told 'answer', it says how long it took until a new run succeeded; told 'close', it ends as it should.
// Arguments: the backend of the pool, and those of the commands, separated by commas.
import { createPool } from 'wardenpool';
import { LauncherLost, readOnly, SpawnFailed, spawnIsolated } from 'wardenpool/executor';

const [backend = 'namespaces', commandBackends = 'namespaces'] = process.argv.slice(2);
const THREADS = 2;
const RUN_LANES = 24;
/** How long a run that was told to answer is tried again, ms. */
const ANSWER_MS = 30_000;

/** @param {unknown} message */
const tell = (message) => process.send?.(message);

const pool = await createPool({
  backend: /** @type {'namespaces' | 'seccomp'} */ (backend),
  threads: THREADS,
});
let isOver = false;

const tools = {
  double: (/** @type {{ value: number }} */ { value }) => ({ value: value * 2 }),
  wait: () => new Promise((resolve) => setTimeout(resolve, 30)),
};
const programs = [
  'return (await tools.double({ value: 21 })).value',
  'await tools.wait({}); return 1',
  "return 'x'.repeat(100_000)",
  'for(;;){}',
];

/** Its rejections are what it is told of a kill; anything else is a defect. @param {unknown} error */
function expectLoss(error) {
  const { code } = /** @type {{ code?: string }} */ (error);
  if (code !== 'WORKER_LOST' && code !== 'POOL_CLOSED') throw error;
}

/** @param {number} lane */
async function runPrograms(lane) {
  for (let turn = lane; !isOver; turn++)
    await pool
      .run(programs[turn % programs.length] ?? '', tools, { limits: { timeoutMs: 300 } })
      .catch(expectLoss);
}

/** What `posix` runs: it confines nothing. @type {import('wardenpool/executor').Policy} */
const UNCONFINED = {
  formatVersion: 3,
  filesystem: { default: 'deny', rules: [{ access: 'write', path: { absolute: '/' } }] },
  network: { mode: 'direct' },
  root: { mode: 'read-only' },
  process: { treeConfinement: 'disabled' },
};

/** @typedef {'namespaces' | 'bubblewrap' | 'posix'} On */

/** Its end, whatever it was. @param {On} on @param {number} turn */
async function runCommand(on, turn) {
  const execution = spawnIsolated(['sh', '-c', 'sleep 0.0$1; echo done >&3', 'sh', String(turn % 9)], {
    policy: on === 'posix' ? UNCONFINED : readOnly(),
    backend: on,
    limits: { memoryBytes: 200_000_000 },
  });
  execution.protocol.resume().end();
  await execution.wait();
}

/** @param {On} on */
async function runCommands(on) {
  for (let turn = 0; !isOver; turn++)
    await runCommand(on, turn).catch((error) => {
      if (!(error instanceof LauncherLost) && !(error instanceof SpawnFailed)) throw error;
    });
}

/** From now on until a run succeeds, one after the other. */
async function answer() {
  const from = performance.now();
  let attempts = 0;
  for (;;) {
    attempts++;
    const { ok } = await pool.run('return 1').catch((error) => {
      expectLoss(error);
      return { ok: false };
    });
    const ms = performance.now() - from;
    if (ok || ms > ANSWER_MS) return { ok, ms, attempts };
  }
}

const backends = /** @type {On[]} */ (commandBackends.split(','));
// Each is tried on this machine before its first command; killed then, it would count as one that the machine refuses.
for (const on of backends) await runCommand(on, 0);
const lanes = [
  ...Array.from({ length: RUN_LANES }, (_, lane) => runPrograms(lane)),
  ...commandBackends
    .split(',')
    .map((on) => runCommands(/** @type {'namespaces' | 'bubblewrap' | 'posix'} */ (on))),
];
await pool.run('return 1');
tell({ atWork: true });

process.on('message', async (message) => {
  if (message === 'answer') tell({ answer: await answer() });
  if (message !== 'close') return;
  isOver = true;
  await Promise.all(lanes);
  await pool.close();
  process.disconnect();
});
