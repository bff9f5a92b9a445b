/** QuickJS as a program of its own, without sandbox or WebAssembly: a process for each kernel. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Engine } from './engine.js';
import { timedExpression, timeOf } from './kernels.js';
import { nativeQuickJsBinary } from './native-quickjs-binary.js';

const execute = promisify(execFile);

const TIMEOUT_MS = 600_000;

/** Absent where it cannot be built; stderr then says why. */
export function nativeQuickJsEngine(): Engine | undefined {
  const name = 'native QuickJS';
  const binary = binaryOrReason();
  if (binary === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'wardenpool-bench-'));
  const file = join(folder, 'kernel.js');
  return {
    name,
    async run(kernel) {
      writeFileSync(file, timedExpression(kernel));
      const { stdout } = await execute(binary, [file], { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
      return timeOf(name, kernel, JSON.parse(stdout));
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function binaryOrReason(): string | undefined {
  try {
    return nativeQuickJsBinary();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`guest compute is not compared with native QuickJS, which could not be built:\n${reason}`);
    return undefined;
  }
}
