// What is shipped has nothing of a sanitizer in it: no function of one, no library of one, no trap of one, no label of such a
// build; and a file that has is found out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow, root } from '../../scripts/lib/project.mjs';
import { compilers } from '../../scripts/lib/requirements.mjs';
import { address, undefinedBehaviour } from '../../scripts/lib/sanitized-variants.mjs';
import { shippedFiles } from '../../scripts/lib/shipped-files.mjs';
import { DT, readElf } from '../native/elf.js';

const VARIANTS = [address, undefinedBehaviour];

/** Everything in a file that only a sanitizer brings. */
function tracesIn(path: string): string[] {
  const elf = readElf(path);
  const symbols = [...elf.symbols('.symtab'), ...elf.symbols('.dynsym')];
  return [
    ...symbols.filter((name) => /^_*(asan|hwasan|lsan|msan|sanitizer|tsan|ubsan)_/.test(name)),
    ...elf.dynamicStrings(DT.NEEDED).filter((name) => /san\.so/.test(name)),
    // What traps needs no function: only the compiler's options tell, which -frecord-gcc-switches keeps.
    ...elf.strings('.GCC.command.line').filter((option) => option.includes('-fsanitize')),
    ...VARIANTS.flatMap(({ label }) => (elf.bytes.includes(label) ? [label] : [])),
  ];
}

describe('sanitizers', () => {
  for (const name of shippedFiles)
    it(`have left no trace in ${name}`, () =>
      assert.deepEqual(tracesIn(join(root, 'build/Release', name)), []));

  it('have left no trace in what is ready to be published', () => {
    const files = filesBelow('prebuilds').filter((path) => !path.endsWith('/SHA256SUMS'));
    for (const path of files) assert.deepEqual(tracesIn(join(root, path)), [], path);
  });

  describe('would be found', () => {
    const SOURCE = 'int main(int count, char **arguments) { return arguments[count - 1][0] + count; }';
    let folder: string;

    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'wardenpool-sanitizers-'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    function tracesWith(options: readonly string[], source = SOURCE): string[] {
      const file = join(folder, 'file');
      const [compiler = 'cc', ...first] = compilers.c;
      const args = [...first, '-frecord-gcc-switches', ...options, '-x', 'c', '-', '-o', file];
      const run = spawnSync(compiler, args, { input: source, encoding: 'utf8', timeout: 50_000 });
      assert.equal(run.status, 0, run.stderr);
      return tracesIn(file);
    }

    it('are not in a program without', () => assert.deepEqual(tracesWith([]), []));

    it('by a function and a library', () => {
      const found = tracesWith(address.flags).join('\n');
      assert.match(found, /__asan_init/);
      assert.match(found, /libasan\.so/);
      assert.match(found, /__ubsan_handle/);
    });

    it('by the options of the compiler, where there is nothing else', () =>
      assert.match(tracesWith(undefinedBehaviour.flags).join('\n'), /-fsanitize=undefined/));

    for (const { name, label } of VARIANTS)
      it(`by the label of the build: ${name}`, () =>
        assert.deepEqual(tracesWith([], `const char *label = "${label}";${SOURCE}`), [label]));
  });
});
