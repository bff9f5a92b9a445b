// THIRD_PARTY.md tells the truth about what users receive.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { productionDependencies, renderThirdParty } from '../../scripts/lib/third-party.mjs';
import { linkedComponents } from '../../scripts/third-party/linked.mjs';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('THIRD_PARTY.md', () => {
  it('is what scripts/third-party.mjs writes', () => {
    assert.equal(read('THIRD_PARTY.md'), renderThirdParty(), 'run: node scripts/third-party.mjs');
  });

  it('lists every production dependency with its licence', () => {
    const text = read('THIRD_PARTY.md');
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const listed = new Map(productionDependencies().map(({ name, licence }) => [name, licence]));
    for (const name of Object.keys(dependencies)) {
      assert.ok(text.includes(`| ${name} | ${listed.get(name)} |`), `${name} is not listed`);
    }
  });

  it('lists dependencies of dependencies', () => {
    const names = productionDependencies().map(({ name }) => name);
    assert.ok(names.includes('tdigest'), 'prom-client brings tdigest');
  });

  it('leaves out what only development needs', () => {
    const names = productionDependencies().map(({ name }) => name);
    for (const name of ['mocha', 'typescript', '@biomejs/biome']) assert.ok(!names.includes(name), name);
  });

  it('names what is linked into the binaries', () => {
    const text = read('THIRD_PARTY.md');
    for (const name of [
      'QuickJS-NG',
      'quickjs-wasi',
      'wasi-libc',
      'WABT (wasm2c)',
      'GNU C Library',
      'node-addon-api',
    ]) {
      assert.ok(text.includes(`| ${name} |`), `${name} is not listed`);
    }
  });

  it('has the copyright lines of the packages that are linked in', () => {
    for (const [path, name] of [
      ['node_modules/quickjs-wasi/LICENSE', 'quickjs-wasi'],
      ['node_modules/node-addon-api/LICENSE.md', 'node-addon-api'],
    ] as const) {
      // Without the links of Markdown.
      const line = /^Copyright .*$/m.exec(read(path))?.[0].replace(/\[([^\]]*)\]\([^)]*\)/, '$1');
      const notices = linkedComponents.find((component) => component.name === name)?.notices;
      assert.deepEqual(notices, [line]);
    }
  });

  it('says how to relink with another C library', () => {
    assert.match(read('THIRD_PARTY.md'), /Relinking with another C library/);
  });

  it('knows only licences that allow what we do', () => {
    const acceptable = new Set([
      'MIT',
      'ISC',
      'BSD-2-Clause',
      'BSD-3-Clause',
      'Apache-2.0',
      '0BSD',
      'CC0-1.0',
    ]);
    const others = productionDependencies().filter(({ licence }) => !acceptable.has(licence));
    assert.deepEqual(others, []);
  });
});
