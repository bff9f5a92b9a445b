// A host in a process of its own, for tests that kill it or start it as another user. It answers its parent over IPC.
// Arguments: the package's entry point, which job to do, and on which backend.
const [entryPoint = '', job = '', backend = 'auto'] = process.argv.slice(2);
/** @type {import('wardenpool').PoolOptions} */
const options = { backend: /** @type {'auto' | 'namespaces' | 'seccomp'} */ (backend) };

/** @param {unknown} message */
const answer = (message) => process.send?.(message);

/** 50 programs in flight, for ever: some wait for a tool, some are busy. */
async function flood() {
  /** @type {typeof import('wardenpool')} */
  const { createPool } = await import(entryPoint);
  const pool = await createPool({ ...options, threads: 2 });
  const tools = { wait: () => new Promise(() => {}) };
  const programs = ['await tools.wait({})', 'for(;;){}', 'return 1'];
  let started = 0;
  for (let lane = 0; lane < 50; lane++) {
    void (async () => {
      for (;;) {
        const code = programs[started++ % programs.length] ?? '';
        if (started === 100) answer('flooded');
        await pool.run(code, tools, { limits: { timeoutMs: 2_000 } });
      }
    })();
  }
}

/** One program, and everything about it. */
async function once() {
  /** @type {typeof import('wardenpool')} */
  const { createPool } = await import(entryPoint);
  const pool = await createPool({ ...options, threads: 1 });
  const run = await pool.run('return (await tools.double({ value: 21 })).value', {
    double: (/** @type {{ value: number }} */ { value }) => ({ value: value * 2 }),
  });
  await pool.close();
  answer({ run });
}

try {
  if (job === 'flood') await flood();
  else await once();
} catch (error) {
  answer({ error: String(error) });
}
if (job !== 'flood') process.disconnect();
