// What Node.js runs inside the sandbox of sandbox-runtime.ts: one program, with tools over descriptor 3.
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';

const VERSION = 'code-bridge-v1';
const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);

const bridge = new Socket({ fd: 3 });
/** @type {Map<number, (result: unknown) => void>} */
const waiting = new Map();

/** @param {object} frame */
function send(frame) {
  bridge.write(`${JSON.stringify({ version: VERSION, ...frame })}\n`);
}

/** @param {string} name */
function toolNamed(name) {
  return (/** @type {unknown} */ input) =>
    new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      send({ type: 'tool.call', id, name, arguments: input });
    });
}

/** @param {{ code: string, tools: { name: string }[] }} frame */
async function execute({ code, tools }) {
  const program = new AsyncFunction('tools', code);
  const result = await program(Object.fromEntries(tools.map(({ name }) => [name, toolNamed(name)])));
  send({ type: 'execution.result', ok: true, result });
  bridge.end();
}

createInterface({ input: bridge }).on('line', (line) => {
  const frame = JSON.parse(line);
  if (frame.type === 'execute') void execute(frame);
  else if (frame.type === 'tool.result') waiting.get(frame.id)?.(frame.result);
});
