// Reads what is needed of ELF files (64 bits, little-endian): segments, the dynamic section, sections, symbols, properties. It
// knows nothing of what is right. Names of members and of constants are those of <elf.h>.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const PT = { LOAD: 1, DYNAMIC: 2, INTERP: 3, GNU_STACK: 0x6474e551, GNU_RELRO: 0x6474e552 } as const;
export const PF = { X: 1, W: 2 } as const;
export const DT = {
  NEEDED: 1,
  PLTGOT: 3,
  RPATH: 15,
  TEXTREL: 22,
  RUNPATH: 29,
  FLAGS: 30,
  FLAGS_1: 0x6ffffffb,
} as const;
export const DF = { TEXTREL: 4, BIND_NOW: 8 } as const;
export const DF_1 = { NOW: 1, PIE: 0x8000000 } as const;
export const ET_DYN = 3;

const SHT_NOBITS = 8;
const STRTAB = 5;

export interface Segment {
  type: number;
  flags: number;
  address: number;
  fileOffset: number;
  fileBytes: number;
  memoryBytes: number;
}

export interface Elf {
  type: number;
  segments: readonly Segment[];
  /** Values in the dynamic section, by tag. */
  dynamic(tag: number): number[];
  /** The strings that values in the dynamic section stand for, by tag. */
  dynamicStrings(tag: number): string[];
  /** The names in a symbol table; empty if there is none. */
  symbols(table: '.symtab' | '.dynsym'): string[];
  /** The strings in a section, each ended by a zero; empty if there is no such section. */
  strings(section: string): string[];
  /** The whole file. */
  bytes: Buffer;
}

/** Throws an AssertionError if the file is of another kind. */
export function readElf(path: string): Elf {
  const bytes = readFileSync(path);
  assert.equal(
    bytes.toString('latin1', 0, 6),
    '\x7fELF\x02\x01',
    `${path} is no 64-bit little-endian ELF file`,
  );
  const number = (offset: number): number => Number(bytes.readBigUInt64LE(offset));
  const text = (offset: number): string => bytes.toString('latin1', offset, bytes.indexOf(0, offset));

  const segments = entries(number(32), bytes.readUInt16LE(54), bytes.readUInt16LE(56)).map((at) => ({
    type: bytes.readUInt32LE(at),
    flags: bytes.readUInt32LE(at + 4),
    fileOffset: number(at + 8),
    address: number(at + 16),
    fileBytes: number(at + 32),
    memoryBytes: number(at + 40),
  }));

  const headers = entries(number(40), bytes.readUInt16LE(58), bytes.readUInt16LE(60));
  const nameTable = headers[bytes.readUInt16LE(62)];
  const section = (name: string): Buffer => {
    const at = headers.find(
      (header) =>
        nameTable !== undefined && text(number(nameTable + 24) + bytes.readUInt32LE(header)) === name,
    );
    if (at === undefined || bytes.readUInt32LE(at + 4) === SHT_NOBITS) return Buffer.alloc(0);
    return bytes.subarray(number(at + 24), number(at + 24) + number(at + 32));
  };

  const dynamicSegment = segments.find(({ type }) => type === PT.DYNAMIC);
  const dynamicEntries = entries(dynamicSegment?.fileOffset ?? 0, 16, (dynamicSegment?.fileBytes ?? 0) / 16);
  const dynamic = (tag: number): number[] =>
    dynamicEntries.filter((at) => number(at) === tag).map((at) => number(at + 8));
  const offsetOf = (address: number): number => {
    const segment = segments.find(
      (each) => each.type === PT.LOAD && address >= each.address && address < each.address + each.fileBytes,
    );
    assert.ok(segment, `${path}: nothing in the file is at address ${address}`);
    return address - segment.address + segment.fileOffset;
  };

  return {
    type: bytes.readUInt16LE(16),
    segments,
    dynamic,
    dynamicStrings: (tag) => dynamic(tag).map((offset) => text(offsetOf(dynamic(STRTAB)[0] ?? 0) + offset)),
    symbols: (table) => {
      const symbols = section(table);
      const names = section(table === '.symtab' ? '.strtab' : '.dynstr');
      return entries(0, 24, symbols.length / 24).map((at) => {
        const start = symbols.readUInt32LE(at);
        return names.toString('latin1', start, names.indexOf(0, start));
      });
    },
    strings: (name) => section(name).toString('latin1').split('\0').filter(Boolean),
    bytes,
  };
}

/** Where the entries of a table begin. */
function entries(start: number, size: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => start + index * size);
}
