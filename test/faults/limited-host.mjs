// A host in a process of its own, whose limits its parent lowers. For each message `{ action, free }` it says what came of it:
// `{ value }` or `{ error }`. Arguments: the entry points of the package and of its executor.
import { readdirSync, readlinkSync } from 'node:fs';

const [packageEntry = '', executorEntry = ''] = process.argv.slice(2);
/** @type {typeof import('wardenpool')} */
const { createPool } = await import(packageEntry);
/** @type {typeof import('wardenpool/executor')} */
const { readOnly, spawnIsolated } = await import(executorEntry);

/** @type {import('wardenpool').Pool | undefined} */
let pool;

/** @type {Record<string, (backend: any) => Promise<unknown>>} */
const actions = {
  async command(backend) {
    const execution = spawnIsolated(['true'], { policy: readOnly(), backend });
    execution.protocol.resume();
    const { returncode, receipt } = await execution.wait();
    return { returncode, outcome: receipt.outcome };
  },
  /** Of one that confines nothing. */
  async unconfined() {
    const execution = spawnIsolated(['true'], {
      backend: 'posix',
      policy: {
        formatVersion: 3,
        filesystem: { default: 'deny', rules: [{ access: 'write', path: { absolute: '/' } }] },
        network: { mode: 'direct' },
        root: { mode: 'read-only' },
        process: { treeConfinement: 'disabled' },
      },
    });
    execution.protocol.resume();
    const { returncode, receipt } = await execution.wait();
    return { returncode, outcome: receipt.outcome };
  },
  async open(backend) {
    pool = await createPool({ backend, threads: 1, warm: { min: 0, max: 0 } });
    return undefined;
  },
  async run() {
    const result = await pool?.run('return 42');
    return result?.ok ? result.value : result?.error;
  },
  async close() {
    await pool?.close();
    pool = undefined;
  },
};

/** Numbers of the descriptors that are open, without those of this listing. */
function descriptors() {
  return readdirSync('/proc/self/fd')
    .filter((number) => {
      try {
        return !readlinkSync(`/proc/self/fd/${number}`).startsWith('/proc/');
      } catch {
        return false;
      }
    })
    .map(Number);
}

process.on('message', async (/** @type {{ action: string, backend?: string }} */ { action, backend }) => {
  /** @type {Record<string, unknown>} */
  const answer = {};
  try {
    if (action !== 'look') answer['value'] = await actions[action]?.(backend);
  } catch (thrown) {
    const { name, message, code, missing, receipt, failure } = /** @type {any} */ (thrown);
    answer['error'] = { name, message, code, missing, failure, receipt: receipt?.outcome };
  }
  process.send?.({ ...answer, descriptors: action === 'look' ? descriptors() : undefined });
});
process.send?.({});
