/**
 * quickjs-emscripten: a runtime and a context for each program, in the one WebAssembly memory that all of a thread
 * share. Guest promises are settled by running the pending jobs, as its documentation says.
 */
import {
  getQuickJS,
  type QuickJSContext,
  type QuickJSHandle,
  shouldInterruptAfterDeadline,
} from 'quickjs-emscripten';
import { HOST_TOOLS, type HostTool, MEMORY_BYTES, type Peer, TIMEOUT_MS } from '../peer.js';

export async function start(): Promise<Peer> {
  const QuickJS = await getQuickJS();
  return {
    async run(program) {
      using runtime = QuickJS.newRuntime();
      runtime.setMemoryLimit(MEMORY_BYTES);
      runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + TIMEOUT_MS));
      using vm = runtime.newContext();
      exposeTools(vm);
      using promise = vm.unwrapResult(vm.evalCode(`(async () => {${program}\n})()`));
      const settled = vm.resolvePromise(promise);
      runtime.executePendingJobs();
      using value = vm.unwrapResult(await settled);
      return vm.dump(value);
    },
    close: async () => {},
  };
}

function exposeTools(vm: QuickJSContext): void {
  using tools = vm.newObject();
  for (const [name, tool] of Object.entries(HOST_TOOLS)) {
    using guestTool = vm.newFunction(name, (input) => callTool(vm, tool, vm.dump(input)));
    vm.setProp(tools, name, guestTool);
  }
  vm.setProp(vm.global, 'tools', tools);
}

function callTool(vm: QuickJSContext, tool: HostTool, input: unknown): QuickJSHandle {
  const promise = vm.newPromise();
  promise.settled.then(vm.runtime.executePendingJobs);
  tool(input).then(
    (result) => fromJson(vm, JSON.stringify(result)).consume((handle) => promise.resolve(handle)),
    (error: Error) => vm.newError(error).consume((handle) => promise.reject(handle)),
  );
  return promise.handle;
}

function fromJson(vm: QuickJSContext, text: string): QuickJSHandle {
  using json = vm.getProp(vm.global, 'JSON');
  using parse = vm.getProp(json, 'parse');
  using argument = vm.newString(text);
  return vm.unwrapResult(vm.callFunction(parse, vm.undefined, argument));
}
