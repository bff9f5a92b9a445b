/** A strict TypeScript project takes the packed package as it is: examples/consumer, with each way to resolve modules. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedProject, type Project, ROOT } from './project.js';

const STRICT = {
  target: 'es2022',
  lib: ['es2023', 'esnext.disposable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmitOnError: true,
};

describe('a TypeScript project with the packed package', function () {
  this.timeout(300_000);
  let project: Project;
  before(() => {
    project = installedProject();
  });

  function compile(name: string, compilerOptions: object, source?: [file: string, text: string]) {
    const folder = join(project.folder, name);
    mkdirSync(folder);
    cpSync(join(ROOT, 'examples/consumer'), folder, { recursive: true });
    if (source !== undefined) writeFileSync(join(folder, source[0]), source[1]);
    const files = [source?.[0] ?? 'main.ts'];
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...STRICT, ...compilerOptions }, files }),
    );
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', folder], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    return { status, stdout, folder };
  }

  it('compiles and runs with module: nodenext', () => {
    const { status, stdout, folder } = compile('nodenext', { module: 'nodenext' });
    assert.equal(stdout, '');
    assert.equal(status, 0);
    const ran = spawnSync(process.execPath, [join(folder, 'main.js')], { encoding: 'utf8', timeout: 60_000 });
    assert.equal(ran.stderr, '');
    assert.equal(ran.stdout, '6 of screws\ntrue: 0\n');
  });

  it('compiles as for a bundler', () => {
    const { status, stdout } = compile('bundler', { module: 'esnext', moduleResolution: 'bundler' });
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });

  it('compiles as a CommonJS module', () => {
    const source = `import wardenpool = require('wardenpool');
      export = (): Promise<wardenpool.Pool> => wardenpool.createPool({ threads: 1 });`;
    const { status, stdout } = compile('commonjs', { module: 'nodenext' }, ['main.cts', source]);
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });

  it('has types that need no other check to be left out than those of other packages', () => {
    const options = { module: 'nodenext', skipLibCheck: false, noEmit: true };
    const { stdout } = compile('libraries', options);
    const ours = stdout.split('\n').filter((line) => line.includes('node_modules/wardenpool/'));
    // Tracing is by a package that is optional, and whoever has it has its types.
    assert.deepEqual(
      ours.filter((line) => !line.includes('@opentelemetry/api')),
      [],
    );
  });

  it('is told what is wrong: an option, the arguments of a tool, a value that may not be there', () => {
    const source = `
      import { createPool, tool } from 'wardenpool';
      import { z } from 'zod';
      const pool = await createPool({ thread: 1 });
      tool({ inputSchema: z.object({ id: z.number() }), execute: ({ id }) => id.toUpperCase() });
      (await pool.run('return 1')).value;`;
    const { stdout } = compile('wrong', { module: 'nodenext', noEmit: true }, ['wrong.ts', source]);
    assert.match(stdout, /wrong\.ts\(4,\d+\): error TS2561: .*'thread'.*Did you mean to write 'threads'/);
    assert.match(
      stdout,
      /wrong\.ts\(5,\d+\): error TS2339: Property 'toUpperCase' does not exist on type 'number'/,
    );
    assert.match(stdout, /wrong\.ts\(6,\d+\): error TS2339: Property 'value' does not exist/);
  });
});
