// A host of one command in a process of its own, for tests that kill it or start it as another user. It answers its parent over
// IPC: { pid } when the command runs, then { result } or { error }. Arguments: the executor's entry point, and command and options as JSON.
const [entryPoint = '', command = '', options = ''] = process.argv.slice(2);

/** @type {typeof import('wardenpool/executor')} */
const { spawnIsolated } = await import(entryPoint);
const execution = spawnIsolated(JSON.parse(command), JSON.parse(options));
let stderr = '';
execution.stderr.setEncoding('utf8').on('data', (text) => {
  stderr += text;
});
execution.protocol.resume();
const waiting = setInterval(() => {
  if (execution.pid === undefined) return;
  clearInterval(waiting);
  process.send?.({ pid: execution.pid });
}, 5);
try {
  const result = await execution.wait();
  process.send?.({ result, stderr });
} catch (error) {
  process.send?.({ error: String(error), stderr });
} finally {
  clearInterval(waiting);
  process.disconnect?.();
}
