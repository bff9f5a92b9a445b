// What a binary of ours lacks of the hardening that it is built with (native/hardening.gypi), read from the file itself.
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DF, DF_1, DT, type Elf, ET_DYN, PF, PT, readElf } from './elf.js';

/** What each compilation has to have been told; the compiler wrote its options into the file (-frecord-gcc-switches). */
const REQUIRED_OPTIONS = ['-fstack-protector-strong', '-fstack-clash-protection', '-fcf-protection=none'];

/** All that the addon may ask the dynamic linker for: C++ and C. The last two are part of libc.so.6 from glibc 2.34 on. */
const ADDON_LIBRARIES = ['libstdc++.so.6', 'libgcc_s.so.1', 'libc.so.6', 'libm.so.6', 'libpthread.so.0'];

/** What there is on the machine that built it and nobody else needs to know. */
const PRIVATE_PATHS = [fileURLToPath(new URL('../../', import.meta.url)), `${homedir()}/`, '/tmp/'];

/**
 * Describes each weakness of the file; empty if there is none.
 *
 * @param kind  `executable`: must be static-pie. `addon`: a shared object that Node loads.
 */
export function weaknessesOf(path: string, kind: 'executable' | 'addon'): string[] {
  const elf = readElf(path);
  return [
    ...(kind === 'executable' ? linkingOfExecutable(elf) : linkingOfAddon(elf)),
    ...memory(elf),
    ...compilation(elf),
    ...PRIVATE_PATHS.filter((text) => elf.bytes.includes(text)).map((text) => `contains the path ${text}`),
  ];
}

function linkingOfExecutable(elf: Elf): string[] {
  return failed({
    'is not position-independent': elf.type === ET_DYN && anyHas(elf.dynamic(DT.FLAGS_1), DF_1.PIE),
    'is linked dynamically':
      !elf.segments.some(({ type }) => type === PT.INTERP) && elf.dynamic(DT.NEEDED).length === 0,
    'has no symbols, by which a crash is explained': elf.symbols('.symtab').length > 0,
  });
}

function linkingOfAddon(elf: Elf): string[] {
  return elf
    .dynamicStrings(DT.NEEDED)
    .filter((name) => !ADDON_LIBRARIES.includes(name))
    .map((name) => `needs ${name}`);
}

function memory(elf: Elf): string[] {
  const relro = elf.segments.find(({ type }) => type === PT.GNU_RELRO);
  const isReadOnlyLater = (address: number): boolean =>
    relro !== undefined && address >= relro.address && address < relro.address + relro.memoryBytes;
  const dynamicSection = elf.segments.find(({ type }) => type === PT.DYNAMIC);
  const stack = elf.segments.find(({ type }) => type === PT.GNU_STACK);
  const loaded = elf.segments.filter(({ type }) => type === PT.LOAD);
  const searchPaths = [...elf.dynamicStrings(DT.RPATH), ...elf.dynamicStrings(DT.RUNPATH)];
  return failed({
    'leaves the dynamic section or the global offset table writable (RELRO)':
      dynamicSection !== undefined &&
      [dynamicSection.address, ...elf.dynamic(DT.PLTGOT)].every(isReadOnlyLater),
    'resolves symbols lazily (BIND_NOW)':
      anyHas(elf.dynamic(DT.FLAGS), DF.BIND_NOW) || anyHas(elf.dynamic(DT.FLAGS_1), DF_1.NOW),
    'has an executable stack': stack !== undefined && !has(stack.flags, PF.X),
    'has memory that is writable and executable': !loaded.some(
      ({ flags }) => has(flags, PF.W) && has(flags, PF.X),
    ),
    'has text relocations':
      elf.dynamic(DT.TEXTREL).length === 0 && !anyHas(elf.dynamic(DT.FLAGS), DF.TEXTREL),
    'has a search path for libraries': searchPaths.length === 0,
  });
}

function compilation(elf: Elf): string[] {
  const compilations = elf.strings('.GCC.command.line');
  const symbols = [...elf.symbols('.symtab'), ...elf.symbols('.dynsym')];
  return [
    ...failed({
      'does not say how it was compiled': compilations.length > 0,
      // Bounds-checked variants of functions of the C library. All that shows the level is the option, which is not recorded.
      'uses no function that is fortified': symbols.some((name) =>
        /^__(mem|str|v?s?n?printf)\w*_chk(@|$)/.test(name),
      ),
    }),
    ...compilations.flatMap((options) =>
      REQUIRED_OPTIONS.filter((required) => !options.split(' ').includes(required)).map(
        (required) => `has code that was compiled without ${required}: ${options}`,
      ),
    ),
  ];
}

const has = (flags: number, flag: number): boolean => (flags & flag) !== 0;

const anyHas = (values: readonly number[], flag: number): boolean => values.some((value) => has(value, flag));

/** The names of the conditions that do not hold. */
function failed(conditions: Record<string, boolean>): string[] {
  return Object.keys(conditions).filter((name) => !conditions[name]);
}
