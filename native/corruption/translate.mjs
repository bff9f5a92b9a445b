/*
 * Writes the module by which a program reaches past the engine, as WebAssembly, and translates it as the engine is:
 * every load, store and call of its functions is generated code of the very kind that the engine consists of.
 *
 *   node translate.mjs ENGINE_HEADER OUTDIR
 *
 * writes OUTDIR/corruption_module.c and .h, and corruption_exports.h with its functions as a table. ENGINE_HEADER is
 * quickjs.h; the functions that the engine imports from its host are taken from there, so that none is forgotten.
 *
 * The module shares memory, table and stack pointer with the engine; the engine's extension has linked them already. All
 * parameters and results are 64 bits wide here, whatever they are in the end.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarations, fail, fixMemoryBase, instantiation, translate } from '../engine/wasm2c.mjs';

const NAME = 'corruption_module';

/* What an instruction can add to an address: nothing, and as far as it goes. */
const OFFSETS = { '': 0, _far: 0x7fffffff, _farther: 0x80000000, _farthest: 0xffffffff };

const LOADS = {
  load8: 'i64.load8_u',
  load16: 'i64.load16_u',
  load32: 'i64.load32_u',
  load64: 'i64.load',
};
const STORES = { store8: 'i64.store8', store16: 'i64.store16', store32: 'i64.store32', store64: 'i64.store' };

/* Types of calls through the table: some of the engine's functions, and one that none of them has. */
const CALLS = {
  call_nothing: { parameters: [] },
  call_allocator: { parameters: ['i32', 'i32'], result: 'i32' },
  call_builtin: { parameters: ['i32', 'i64', 'i32', 'i32'], result: 'i64' },
  call_free: { parameters: ['i32', 'i32'] },
  call_math: { parameters: ['f64'], result: 'f64' },
  call_unheard_of: { parameters: ['f32', 'f32', 'f32', 'i64', 'f32'], result: 'f32' },
};

/* A value of a type from a parameter, and the reverse. */
const FROM_WIDE = {
  i32: (get) => `(i32.wrap_i64 ${get})`,
  i64: (get) => get,
  f32: (get) => `(f32.convert_i64_s ${get})`,
  f64: (get) => `(f64.convert_i64_s ${get})`,
};
const TO_WIDE = {
  i32: (value) => `(i64.extend_i32_u ${value})`,
  i64: (value) => value,
  f32: (value) => `(i64.trunc_sat_f32_s ${value})`,
  f64: (value) => `(i64.trunc_sat_f64_s ${value})`,
};
const TYPES = { u32: 'i32', u64: 'i64' };

const get = (index) => `(local.get ${index})`;
const narrow = (index) => FROM_WIDE.i32(get(index));
const signature = ({ parameters, result }) =>
  `${parameters.map((type) => `(param ${type})`).join(' ')} ${result ? `(result ${result})` : ''}`;
const widened = (code, result) => (result ? TO_WIDE[result](code) : `${code} (i64.const 0)`);

function accesses() {
  return Object.entries(OFFSETS).flatMap(([suffix, offset]) => [
    ...Object.entries(LOADS).map(([name, instruction]) => ({
      name: `${name}${suffix}`,
      count: 1,
      code: `(${instruction} offset=${offset} ${narrow(0)})`,
    })),
    ...Object.entries(STORES).map(([name, instruction]) => ({
      name: `${name}${suffix}`,
      count: 2,
      code: `(${instruction} offset=${offset} ${narrow(0)} ${get(1)}) (i64.const 0)`,
    })),
  ]);
}

const BULK = [
  { name: 'fill', count: 3, code: `(memory.fill ${narrow(0)} ${narrow(1)} ${narrow(2)}) (i64.const 0)` },
  { name: 'copy', count: 3, code: `(memory.copy ${narrow(0)} ${narrow(1)} ${narrow(2)}) (i64.const 0)` },
  { name: 'grow', count: 1, code: TO_WIDE.i32(`(memory.grow ${narrow(0)})`) },
  { name: 'pages', count: 0, code: TO_WIDE.i32('(memory.size)') },
  { name: 'stack_pointer', count: 0, code: TO_WIDE.i32('(global.get $stack_pointer)') },
  {
    name: 'set_stack_pointer',
    count: 1,
    code: `(global.set $stack_pointer ${narrow(0)}) (i64.const 0)`,
  },
];

/* The element of the table comes first. */
function calls() {
  return Object.entries(CALLS).map(([name, { parameters, result }]) => ({
    name,
    count: parameters.length + 1,
    code: widened(
      `(call_indirect (type $${name}) ${parameters.map((type, i) => FROM_WIDE[type](get(i + 1))).join(' ')} ${narrow(0)})`,
      result,
    ),
  }));
}

/* Calls of what the engine imports, with whatever arguments. */
function importCalls(imported) {
  return imported.map(({ name, parameters, result }) => ({
    name: `import_${name}`,
    count: parameters.length,
    code: widened(
      `(call $${name} ${parameters.map((type, i) => FROM_WIDE[type](get(i))).join(' ')})`,
      result,
    ),
  }));
}

function importsOf(header) {
  const found = declarations(header, 'import').map(({ module, name, result, parameters }) => ({
    module,
    name,
    result: TYPES[result],
    parameters: parameters
      .split(/\s*,\s*/)
      .slice(1)
      .map((type) => TYPES[type] ?? fail(`the import ${name} has a parameter of the unknown type ${type}.`)),
  }));
  if (found.length === 0) fail('the engine imports nothing.');
  return found;
}

function moduleText(imported, functions) {
  return [
    '(module',
    ...Object.entries(CALLS).map(([name, type]) => `(type $${name} (func ${signature(type)}))`),
    ...imported.map(
      (entry) => `(import "${entry.module}" "${entry.name}" (func $${entry.name} ${signature(entry)}))`,
    ),
    '(import "env" "memory" (memory 1))',
    '(import "env" "__indirect_function_table" (table 1 funcref))',
    '(import "env" "__stack_pointer" (global $stack_pointer (mut i32)))',
    ...functions.map(
      ({ name, count, code }) =>
        `(func (export "${name}") ${'(param i64) '.repeat(count)}(result i64) ${code})`,
    ),
    ')',
  ].join('\n');
}

function exportsHeader(header, functions) {
  const { instance, instantiate, initialise } = instantiation(header);
  const symbols = new Map(declarations(header, 'export').map(({ name, symbol }) => [name, symbol]));
  const most = Math.max(...functions.map(({ count }) => count));
  const cases = functions.map(({ name, count }, index) => {
    const passed = Array.from({ length: count }, (_, i) => `, a[${i}]`).join('');
    return `    case ${index}: return ${symbols.get(name)}(instance${passed});`;
  });
  return `${[
    '/* Generated by translate.mjs. */',
    `#include "${NAME}.h"`,
    `typedef ${instance} corruption_instance;`,
    `#define CORRUPTION_INIT_MODULE() ${initialise}`,
    `#define CORRUPTION_INSTANTIATE(instance) ${instantiate}`,
    `#define CORRUPTION_PARAMETERS_MAXIMUM ${most}u`,
    `static const char *const corruption_names[] = {${functions.map(({ name }) => `"${name}"`).join(', ')}};`,
    '#define CORRUPTION_COUNT (sizeof corruption_names / sizeof *corruption_names)',
    'static inline u64 corruption_invoke(corruption_instance *instance, size_t index, const u64 *a) {',
    '  switch (index) {',
    ...cases,
    '    default: return 0;',
    '  }',
    '}',
  ].join('\n')}\n`;
}

const [engineHeader, directory] = process.argv.slice(2);
if (!directory) fail('usage: node translate.mjs ENGINE_HEADER OUTDIR');
const output = (suffix) => join(directory, `${NAME}${suffix}`);
const imported = importsOf(readFileSync(engineHeader, 'utf8'));
const functions = [...accesses(), ...BULK, ...calls(), ...importCalls(imported)];
writeFileSync(output('.wat'), moduleText(imported, functions));
const assembled = spawnSync('wat2wasm', [output('.wat'), '-o', output('.wasm')], { encoding: 'utf8' });
if (assembled.error) fail(`wat2wasm, of WABT, could not be started: ${assembled.error.message}`);
if (assembled.status !== 0) fail(`wat2wasm refused ${output('.wat')}:\n${assembled.stderr}`);
translate(output('.wasm'), output('.c'));
const header = readFileSync(output('.h'), 'utf8');
writeFileSync(output('_exports.h').replace('_module', ''), exportsHeader(header, functions));
writeFileSync(output('.c'), fixMemoryBase(readFileSync(output('.c'), 'utf8'), header));
