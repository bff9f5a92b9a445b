/**
 * `@sebastianwessel/quickjs`: a runtime with its Node-like globals for each program, in the one WebAssembly memory that
 * all of a thread share. Its documentation advises to spread it over threads.
 */
import variant from '@jitl/quickjs-ng-wasmfile-release-sync';
import { loadQuickJs, type SandboxOptions } from '@sebastianwessel/quickjs';
import type { QuickJSSyncVariant } from 'quickjs-emscripten';
import { HOST_TOOLS, MEMORY_BYTES, type Peer, TIMEOUT_MS } from '../peer.js';

const OPTIONS: SandboxOptions = {
  executionTimeout: TIMEOUT_MS,
  memoryLimit: MEMORY_BYTES,
  env: { tools: HOST_TOOLS },
};

export async function start(): Promise<Peer> {
  // The variant declares itself as CommonJS, which it is not.
  const { runSandboxed } = await loadQuickJs(variant as unknown as QuickJSSyncVariant);
  return {
    async run(program) {
      const code = `const { tools } = env;\nexport default await (async () => {${program}\n})();`;
      const result = await runSandboxed(({ evalCode }) => evalCode(code), OPTIONS);
      if (!result.ok) throw new Error(`${result.error.name}: ${result.error.message}`);
      return result.data;
    },
    close: async () => {},
  };
}
