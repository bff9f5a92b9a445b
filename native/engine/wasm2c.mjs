/*
 * What the translations of the engine and of its extension have in common: running wasm2c, and reading what it wrote.
 *
 * How wasm2c names what it generates differs between its versions; the comment that it puts before each export and
 * import does not. It knows no module.
 */
import { spawnSync } from 'node:child_process';

export function fail(message) {
  console.error(`native/engine: ${message}`);
  process.exit(1);
}

export function unsupported(what) {
  fail(`what wasm2c wrote has no ${what}; this version of wasm2c is not supported.`);
}

/* Writes OUTPUT and the header beside it, whose names begin with that of the file WASM. */
export function translate(wasm, output) {
  const result = spawnSync('wasm2c', [wasm, '-o', output], { encoding: 'utf8' });
  if (result.error?.code === 'ENOENT') {
    fail('wasm2c was not found. It comes with WABT: run `apt-get install wabt`, then build again.');
  }
  if (result.error) fail(`wasm2c could not be started: ${result.error.message}`);
  if (result.status !== 0) fail(`wasm2c could not translate ${wasm}:\n${result.stderr}`);
}

/* The functions (or accessors) that follow a comment of the given kind, by the name in the comment. */
export function declarations(header, kind) {
  const pattern = new RegExp(
    `/\\* ${kind}: (?:'([^']+)' )?'([^']+)' \\*/\\n(?:extern )?([\\w ]+?[\\s*]+)(\\w+)\\(([^;]*)\\);`,
    'g',
  );
  return Array.from(header.matchAll(pattern), ([, module, name, result, symbol, parameters]) => ({
    module,
    name,
    result: result.trim(),
    symbol,
    parameters,
  }));
}

/* What makes an instance of the module, as C: its type, and calls that register its types and fill it. No environments. */
export function instantiation(header) {
  const match = /void (\w+)\((\w+) ?\*((?:, ?struct \w+ ?\*)*)\);/.exec(header);
  if (!match) unsupported('function that instantiates the module');
  const [, instantiate, instance, environments] = match;
  const initialise = /void (\w+_init_module)\(void\);/.exec(header)?.[1];
  return {
    instance,
    instantiate: `${instantiate}(instance${', NULL'.repeat(environments.split(',').length - 1)})`,
    initialise: initialise ? `${initialise}()` : '((void)0)',
  };
}

/*
 * Every access to linear memory comes from two macros, whose code asks the instance each time where memory begins, since
 * the store before may have changed that for all the compiler knows; and it does each read, used or not, so that one
 * outside memory traps. Here memory begins at a constant address, and a read that nobody needs may be left out. Both
 * together, CPU time of the six kernels of bench/compute, before to after: 1 to 0.94 (JSON 0.89, fib 0.93, sort 1.02);
 * one without the other: 0.98 and 1.00. Other versions of wasm2c may write the macros differently: then their code stays
 * as it is, and is only slower.
 */
export function fixMemoryBase(source, header) {
  const memories = header.match(/\bwasm_rt_memory_t \*?\w+;/g) ?? [];
  if (memories.length !== 1) fail('a module has not exactly one memory, for which the runner was written.');
  return `#include "memory_base.h"\n${source
    .replaceAll('&mem->data[addr]', '&wasm_runtime_base[addr]')
    .replace(/^ *wasm_asm\("" ::"r"\(result\)\); *\\\n/gm, '')}`;
}
