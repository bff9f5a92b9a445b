/*
 * Reads and writes as much of the binary format as it takes to give a side module its place: sections, sizes of
 * memory and table, constant expressions. Whatever else is in a module it copies. It knows no module.
 */
const SECTION = { custom: 0, import: 2, table: 4, memory: 5, data: 11 };
const EXTERNAL = { function: 0, table: 1, memory: 2, global: 3 };
const INSTRUCTION = { end: 0x0b, globalGet: 0x23, i32Const: 0x41, i32Add: 0x6a };
const HEADER_BYTES = 8;

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get done() {
    return this.at >= this.bytes.length;
  }

  byte() {
    if (this.done) throw new Error('the module ends in the middle of something');
    return this.bytes[this.at++];
  }

  /* LEB128, of at most 32 bits. */
  unsigned() {
    return this.#number(false) >>> 0;
  }

  signed() {
    return this.#number(true);
  }

  #number(isSigned) {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return isSigned && byte & 0x40 && shift < 25 ? value | (-1 << (shift + 7)) : value;
    }
    throw new Error('a number of the module is too long');
  }

  take(length) {
    if (length > this.bytes.length - this.at) throw new Error('the module ends in the middle of something');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text() {
    return Buffer.from(this.take(this.unsigned())).toString('utf8');
  }

  /* The least of the two limits, in pages or elements. */
  limits() {
    const flags = this.byte();
    const minimum = this.unsigned();
    if (flags & 1) this.unsigned();
    return minimum;
  }
}

function unsigned(value) {
  const bytes = [];
  for (let rest = value >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function signed(value) {
  const bytes = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const low = rest & 0x7f;
    if (rest >> 6 === 0 || rest >> 6 === -1) return Buffer.from([...bytes, low]);
    bytes.push(low | 0x80);
  }
}

/* The sections in order, as { id, bytes }. */
function sections(module) {
  const reader = new Reader(module);
  reader.take(HEADER_BYTES);
  const found = [];
  while (!reader.done) {
    const id = reader.byte();
    found.push({ id, bytes: reader.take(reader.unsigned()) });
  }
  return found;
}

function section(module, id, what) {
  const found = sections(module).find((entry) => entry.id === id);
  if (!found) throw new Error(`the module has no ${what}`);
  return new Reader(found.bytes);
}

/* What an engine has of its own when it begins: { pages, elements }. */
export function initialSizes(module) {
  const tables = section(module, SECTION.table, 'table of its own');
  if (tables.unsigned() !== 1) throw new Error('the module has not exactly one table');
  tables.byte();
  const memories = section(module, SECTION.memory, 'memory of its own');
  if (memories.unsigned() !== 1) throw new Error('the module has not exactly one memory');
  return { pages: memories.limits(), elements: tables.limits() };
}

/* What a side module asks of its engine, by its dynamic linking section: { bytes, elements }. */
export function requirements(module) {
  const dylink = section(module, SECTION.custom, 'dynamic linking section: it is no side module');
  if (dylink.text() !== 'dylink.0') throw new Error('the module does not begin as a side module');
  while (!dylink.done) {
    const kind = dylink.byte();
    const part = new Reader(dylink.take(dylink.unsigned()));
    if (kind !== 1) continue;
    const bytes = part.unsigned();
    const alignment = 2 ** part.unsigned();
    return { bytes, alignment, elements: part.unsigned() };
  }
  throw new Error('the module does not say what it needs');
}

/* The names of the imported globals, by their index. */
function importedGlobals(module) {
  const imports = section(module, SECTION.import, 'imports');
  const names = [];
  for (let count = imports.unsigned(); count > 0; count--) {
    imports.text();
    const name = imports.text();
    const kind = imports.byte();
    if (kind === EXTERNAL.function) imports.unsigned();
    else if (kind === EXTERNAL.memory) imports.limits();
    else if (kind === EXTERNAL.table) {
      imports.byte();
      imports.limits();
    } else if (kind === EXTERNAL.global) {
      names.push(name);
      imports.take(2);
    } else throw new Error(`the module imports something of the unknown kind ${kind}`);
  }
  return names;
}

/* The value of a constant expression, in which the globals have these values. */
function evaluate(reader, globals) {
  const stack = [];
  for (;;) {
    const instruction = reader.byte();
    if (instruction === INSTRUCTION.end && stack.length === 1) return stack[0];
    if (instruction === INSTRUCTION.i32Const) stack.push(reader.signed());
    else if (instruction === INSTRUCTION.globalGet) stack.push(globals(reader.unsigned()));
    else if (instruction === INSTRUCTION.i32Add && stack.length > 1)
      stack.push((stack.pop() + stack.pop()) | 0);
    else throw new Error(`instruction ${instruction} is none of a constant expression that we know`);
  }
}

function placeData(data, globals) {
  const segments = new Reader(data);
  const count = segments.unsigned();
  const parts = [unsigned(count)];
  for (let i = 0; i < count; i++) {
    if (segments.unsigned() !== 0) throw new Error('a data segment is not for the first memory');
    const offset = evaluate(segments, globals);
    const length = segments.unsigned();
    parts.push(Buffer.from([0, INSTRUCTION.i32Const]), signed(offset), Buffer.from([INSTRUCTION.end]));
    parts.push(unsigned(length), segments.take(length));
  }
  return Buffer.concat(parts);
}

/* The same module with constants for the addresses of its data; `values` are those of imported globals, by name. */
export function withPlacedData(module, values) {
  const names = importedGlobals(module);
  const globals = (index) => {
    const value = values[names[index]];
    if (value === undefined) throw new Error('a data segment lies where only the running module knows');
    return value;
  };
  return Buffer.concat([
    module.subarray(0, HEADER_BYTES),
    ...sections(module).flatMap(({ id, bytes }) => {
      const content = id === SECTION.data ? placeData(bytes, globals) : bytes;
      return [Buffer.from([id]), unsigned(content.length), content];
    }),
  ]);
}
