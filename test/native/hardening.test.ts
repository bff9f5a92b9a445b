// The native files that are shipped are hardened as native/hardening.gypi says, judged by the files themselves; and a file
// in which any of it is missing is found out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilers } from '../../scripts/lib/requirements.mjs';
import { readElf } from './elf.js';
import { weaknessesOf } from './weaknesses.js';

const built = (name: string): string =>
  fileURLToPath(new URL(`../../build/Release/${name}`, import.meta.url));

describe('the native files', () => {
  for (const name of ['wardenpool-launcher', 'code-runner']) {
    it(`${name} has no weakness`, () => assert.deepEqual(weaknessesOf(built(name), 'executable'), []));

    it(`${name} has code of ours and of the engine that says how it was compiled`, () => {
      const compilations = readElf(built(name)).strings('.GCC.command.line');
      const isEngine = (options: string): boolean => options.includes('-fno-strict-aliasing');
      assert.ok(compilations.some(isEngine), 'nothing of the engine');
      assert.ok(!compilations.every(isEngine), 'nothing but the engine');
    });
  }

  it('wardenpool.node has no weakness', () =>
    assert.deepEqual(weaknessesOf(built('wardenpool.node'), 'addon'), []));
});

describe('a missing hardening', () => {
  const OPTIONS = [
    ...['-O2', '-fPIE', '-fstack-protector-strong', '-fstack-clash-protection', '-fcf-protection=none'],
    ...['-frecord-gcc-switches', '-D_FORTIFY_SOURCE=3', '-static-pie'],
    ...['-Wl,-z,relro', '-Wl,-z,now', '-Wl,-z,noexecstack'],
  ];
  const SOURCE = `
    #include <stdio.h>
    #ifdef PATH
    const char *path = PATH;
    #endif
    int main(int count, char **arguments) {
      char text[16];
      snprintf(text, count, "%s", arguments[0]);
      return puts(text);
    }
  `;
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'wardenpool-hardening-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function weaknessesWith(options: readonly string[], kind: 'executable' | 'addon' = 'executable'): string[] {
    const file = join(folder, 'file');
    const [compiler = 'cc', ...first] = compilers.c;
    const args = [...first, ...options, '-x', 'c', '-', '-o', file];
    const run = spawnSync(compiler, args, { input: SOURCE, encoding: 'utf8', timeout: 50_000 });
    assert.equal(run.status, 0, run.stderr);
    return weaknessesOf(file, kind);
  }

  const without = (option: string): string[] => OPTIONS.filter((each) => each !== option);

  it('is none if all is there', () => assert.deepEqual(weaknessesWith(OPTIONS), []));

  const cases: Record<string, { options: string[]; found: RegExp }> = {
    '-static-pie (dynamic)': { options: without('-static-pie'), found: /linked dynamically/ },
    '-static-pie (at a fixed address)': {
      options: [...without('-static-pie'), '-static'],
      found: /not position-independent/,
    },
    '-fstack-protector-strong': {
      options: without('-fstack-protector-strong'),
      found: /without -fstack-protector-strong/,
    },
    '-fstack-clash-protection': {
      options: without('-fstack-clash-protection'),
      found: /without -fstack-clash-protection/,
    },
    '-fcf-protection=none': { options: without('-fcf-protection=none'), found: /without -fcf-protection/ },
    '-D_FORTIFY_SOURCE': { options: without('-D_FORTIFY_SOURCE=3'), found: /no function that is fortified/ },
    '-frecord-gcc-switches': { options: without('-frecord-gcc-switches'), found: /does not say how/ },
    '-z relro': { options: [...OPTIONS, '-Wl,-z,norelro'], found: /RELRO/ },
    '-z noexecstack': { options: [...OPTIONS, '-Wl,-z,execstack'], found: /executable stack/ },
    symbols: { options: [...OPTIONS, '-s'], found: /no symbols/ },
  };
  for (const [name, { options, found }] of Object.entries(cases)) {
    it(`is found: ${name}`, () => assert.match(weaknessesWith(options).join('\n'), found));
  }

  const SHARED = [...without('-static-pie').filter((option) => option !== '-fPIE'), '-fPIC', '-shared'];

  it('is found in an addon: -z now', () => {
    assert.deepEqual(weaknessesWith(SHARED, 'addon'), []);
    const options = SHARED.filter((option) => option !== '-Wl,-z,now');
    assert.match(weaknessesWith([...options, '-Wl,-z,lazy'], 'addon').join('\n'), /BIND_NOW/);
  });

  it('is found in an addon: a search path, and another library', () => {
    const found = weaknessesWith(
      [...SHARED, '-Wl,-rpath,/opt/lib', '-Wl,--no-as-needed', '-lresolv'],
      'addon',
    ).join('\n');
    assert.match(found, /search path/);
    assert.match(found, /needs libresolv/);
  });

  it('is found in an addon: code that can be written', () => {
    assert.match(
      weaknessesWith([...SHARED, '-nostdlib', '-Wl,--omagic'], 'addon').join('\n'),
      /writable and executable/,
    );
  });

  it('is found: a path of the machine that built it', () => {
    assert.match(weaknessesWith([...OPTIONS, `-DPATH="${folder}"`]).join('\n'), /contains the path/);
  });
});
