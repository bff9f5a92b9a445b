// A host that is flooded, in a process of its own, so that its memory is all that is measured. Told by IPC what to do; answers when it
// is done. Arguments: the package's entry points, which may be those of a package whose runner is an attacker.
const [pools = '', executor = ''] = process.argv.slice(2);
/** @type {typeof import('wardenpool')} */
const { createPool } = await import(pools);
/** @type {typeof import('wardenpool/executor')} */
const { readOnly, spawnIsolated } = await import(executor);

/** Bytes that one violator gets rid of on descriptor 3 before it is noticed and killed: a frame that never ends. */
const PER_VIOLATOR = 2_097_152;
/** Of diagnostics: less than what a run may use CPU time for. */
const PER_RUN = 67_108_864;

/** As many runs as add up to `bytes`; what each ended with, counted. @param {{ backend: 'namespaces' | 'seccomp', descriptor: number, bytes: number }} order */
async function floodPool({ backend, descriptor, bytes }) {
  const pool = await createPool({ backend, threads: 2 });
  const each = Math.min(bytes, descriptor === 3 ? PER_VIOLATOR : PER_RUN);
  /** @type {Record<string, number>} */
  const ends = {};
  let left = bytes;
  let received = 0;
  const lane = async () => {
    while (left > 0) {
      left -= each;
      const run = await pool.run(`flood ${descriptor} ${each}`);
      const end = run.ok ? 'ok' : run.error.kind;
      ends[end] = (ends[end] ?? 0) + 1;
      const { io } = run.receipt;
      received += io ? io.bytesOut + io.stderrBytes : 0;
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  await pool.close();
  return { ends, received };
}

/**
 * One command that floods, `atOnce` bytes with each write. `isRead`: somebody takes what it says; what nobody takes of descriptor 3 holds
 * it up for ever, so it is stopped after `ms`.
 * @param {{ descriptor: number, bytes: number, atOnce: number, isRead: boolean, ms: number }} order
 */
async function floodCommand({ descriptor, bytes, atOnce, isRead, ms }) {
  const program = `exec dd if=/dev/zero bs=${atOnce} count=${Math.ceil(bytes / atOnce)} status=none >&${descriptor}`;
  const execution = spawnIsolated(['sh', '-c', program], { policy: readOnly() });
  let read = 0;
  if (isRead) {
    for (const stream of [execution.protocol, execution.stderr])
      stream.on('data', (chunk) => {
        read += chunk.length;
      });
  }
  execution.protocol.end();
  const timer =
    isRead || descriptor === 2 ? undefined : setTimeout(() => execution.stop({ force: true }), ms);
  const { returncode, signal, receipt } = await execution.wait();
  clearTimeout(timer);
  const { io } = receipt;
  return {
    ends: { [signal ?? `code ${returncode}`]: 1 },
    received: io ? io.bytesOut + io.stderrBytes : 0,
    read,
  };
}

process.on('message', async (/** @type {any} */ order) => {
  if (order.what === 'end') return process.disconnect();
  const done = order.what === 'pool' ? await floodPool(order) : await floodCommand(order);
  process.send?.({ done });
});
process.send?.({ ready: true });
