/**
 * The same WebAssembly module that our engine is translated from, run by V8 in this process. It is compiled once: what V8
 * learned about it in one round is kept for the next.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { QuickJS } from 'quickjs-wasi';
import type { Engine } from './engine.js';
import { timedExpression, timeOf } from './kernels.js';

export async function v8Engine(): Promise<Engine> {
  const name = 'same module under V8';
  const file = fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'));
  const wasm = await WebAssembly.compile(await readFile(file));
  return {
    name,
    async run(kernel) {
      const context = await QuickJS.create({ wasm });
      try {
        const result = context.evalCode(timedExpression(kernel));
        return timeOf(name, kernel, JSON.parse(result.toString()));
      } finally {
        context.dispose();
      }
    },
    close: async () => {},
  };
}
