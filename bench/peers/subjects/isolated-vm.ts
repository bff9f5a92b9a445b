/**
 * isolated-vm: an isolate for each program. Its asynchronous calls work on threads of its own. The tools are set up
 * before the program is there, in a closure, so that it cannot reach the reference that they use.
 */
import ivm from 'isolated-vm';
import { HOST_TOOLS, type HostTool, MEMORY_BYTES, type Peer, TIMEOUT_MS } from '../peer.js';

const MEGABYTE = 1024 * 1024;

const SET_UP_TOOLS = `const call = $1;
const options = { arguments: { copy: true }, result: { copy: true, promise: true } };
globalThis.tools = Object.fromEntries(
  $0.map((name) => [name, (input) => call.apply(undefined, [name, input], options)]),
);`;

export async function start(): Promise<Peer> {
  return { run, close: async () => {} };
}

async function run(program: string): Promise<unknown> {
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_BYTES / MEGABYTE });
  try {
    const context = await isolate.createContext();
    const names = new ivm.ExternalCopy(Object.keys(HOST_TOOLS)).copyInto();
    // Nobody needs its result, and calls are done in order: no thread has to wait for this one.
    context.evalClosureIgnored(SET_UP_TOOLS, [names, new ivm.Reference(callTool)], { timeout: TIMEOUT_MS });
    return await context.eval(`(async () => {${program}\n})()`, {
      timeout: TIMEOUT_MS,
      promise: true,
      copy: true,
    });
  } finally {
    isolate.dispose();
  }
}

function callTool(name: string, input: unknown): Promise<unknown> {
  const tool: HostTool | undefined = HOST_TOOLS[name];
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool(input);
}
