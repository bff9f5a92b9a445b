/** quickjs-wasi: an instance of the compiled WebAssembly module for each program, with a memory of its own. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type JSValueHandle, QuickJS } from 'quickjs-wasi';
import { HOST_TOOLS, type HostTool, MEMORY_BYTES, type Peer, TIMEOUT_MS } from '../peer.js';

export async function start(): Promise<Peer> {
  const file = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
  const wasm = await WebAssembly.compile(await readFile(file));
  return { run: (program) => run(wasm, program), close: async () => {} };
}

async function run(wasm: WebAssembly.Module, program: string): Promise<unknown> {
  const deadline = Date.now() + TIMEOUT_MS;
  using vm = await QuickJS.create({
    wasm,
    memoryLimit: MEMORY_BYTES,
    interruptHandler: () => Date.now() > deadline,
  });
  exposeTools(vm);
  using promise = vm.evalCode(`(async () => {${program}\n})()`);
  vm.executePendingJobs();
  const settled = await vm.resolvePromise(promise);
  if ('error' in settled) throw new Error(settled.error.consume((error) => error.toString()));
  return settled.value.consume((value) => vm.dump(value));
}

function exposeTools(vm: QuickJS): void {
  using tools = vm.newObject();
  for (const [name, tool] of Object.entries(HOST_TOOLS)) {
    using guestTool = vm.newFunction(name, (input) => callTool(vm, tool, input && vm.dump(input)));
    vm.setProp(tools, name, guestTool);
  }
  vm.setProp(vm.global, 'tools', tools);
}

function callTool(vm: QuickJS, tool: HostTool, input: unknown): JSValueHandle {
  const deferred = vm.newPromise();
  tool(input).then(
    (result) => {
      vm.hostToHandle(result).consume((handle) => deferred.resolve(handle));
      vm.executePendingJobs();
    },
    (error: Error) => {
      vm.newError(error).consume((handle) => deferred.reject(handle));
      vm.executePendingJobs();
    },
  );
  return deferred.handle;
}
