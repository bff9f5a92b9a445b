// A host of commands in a process of its own, so that it can be any user, and be killed. It starts what its parent says over
// IPC, tells of each line that a command sends, and of its end. Argument: the executor's entry point.
import { setImmediate as nextTurn } from 'node:timers/promises';

const [entryPoint = ''] = process.argv.slice(2);
/** @type {typeof import('wardenpool/executor')} */
const { spawnIsolated } = await import(entryPoint);

/** @type {Map<number, import('wardenpool/executor').IsolatedExecution>} */
const executions = new Map();

/** @param {unknown} message */
const tell = (message) => process.send?.(message);

/** @param {unknown} thrown */
function describe(thrown) {
  const { name, message, code, missing } = /** @type {Record<string, unknown>} */ (thrown);
  return { name, message, code, missing };
}

/**
 * What a command sends may be here before its launcher's word that it was started, and so before its PID.
 * @param {number} id
 * @param {import('wardenpool/executor').IsolatedExecution} execution
 */
async function pidOf(id, execution) {
  while (execution.pid === undefined && executions.has(id)) await nextTurn();
  return execution.pid ?? 0;
}

/** @param {{ id: number, command: string[], options: import('wardenpool/executor').IsolatedOptions, stays: boolean }} request */
async function start({ id, command, options, stays }) {
  let stderr = '';
  try {
    const execution = spawnIsolated(command, options);
    executions.set(id, execution);
    let rest = '';
    // Each line after the one before it, which may still be waiting for the PID when there is one for the next.
    let told = Promise.resolve();
    execution.protocol.on('data', (chunk) => {
      const lines = `${rest}${chunk.toString('latin1')}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        told = told.then(async () => {
          tell({ id, line, pid: await pidOf(id, execution) });
        });
    });
    execution.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    if (!stays) execution.protocol.end();
    const { returncode, signal, receipt } = await execution.wait();
    executions.delete(id);
    await told;
    tell({ id, end: { returncode, signal, receipt, stderr } });
  } catch (error) {
    executions.delete(id);
    tell({ id, end: { error: describe(error), stderr } });
  }
}

process.on('message', (/** @type {any} */ message) => {
  if (message.command) void start(message);
  else if (message.release) executions.get(message.id)?.protocol.end();
  else if (message.stop) void executions.get(message.id)?.stop();
});
process.on('disconnect', () => process.exit());
tell({ ready: true });
