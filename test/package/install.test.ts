/** The packed package, installed into an empty project without any script: all of it works, by every way in. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideNode } from '../../scripts/lib/node-versions.mjs';
import { installedProject, type Project } from './project.js';

const MIB = 2 ** 20;
const SHIPPED = ['SHA256SUMS', 'code-runner', 'wardenpool-launcher', 'wardenpool.glibc.node'];

describe('the installed package', function () {
  this.timeout(300_000);
  let project: Project;
  before(() => {
    project = installedProject();
  });

  function run(command: string, args: string[], input = ''): string {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: project.folder,
      encoding: 'utf8',
      input,
      timeout: 60_000,
    });
    assert.equal(stderr, '', 'a warning, or a failure');
    assert.equal(status, 0);
    return stdout;
  }
  const node = (type: 'module' | 'commonjs', script: string): string =>
    run(process.execPath, [`--input-type=${type}`, '--eval', script]);

  const DOUBLE = `await pool.run('return (await tools.double({ value: 21 })).value', { double: ({ value }) => ({ value: value * 2 }) })`;

  it('runs a program, imported as an ES module', () => {
    const script = `
      import { createPool } from 'wardenpool';
      const pool = await createPool({ threads: 2 });
      const { value, receipt } = ${DOUBLE};
      await pool.close();
      console.log(JSON.stringify({ value, containmentConfirmed: receipt.stop.containmentConfirmed }));`;
    assert.deepEqual(JSON.parse(node('module', script)), { value: 42, containmentConfirmed: true });
  });

  it('runs a program, loaded by require(), without a warning', () => {
    const script = `
      const { createPool } = require('wardenpool');
      (async () => {
        const pool = await createPool({ threads: 1 });
        console.log((${DOUBLE}).value);
        await pool.close();
      })();`;
    assert.equal(node('commonjs', script), '42\n');
  });

  it('is closed by `await using`, by a Node.js that has the syntax itself', () => {
    const script = `
      import { createPool } from 'wardenpool';
      let closed;
      {
        await using pool = await createPool({ threads: 1 });
        closed = pool.run('await new Promise((resolve) => setTimeout(resolve, 100)); return "waited for"');
      }
      console.log((await closed).value);`;
    const { program } = provideNode(24);
    assert.equal(run(program, ['--input-type=module', '--eval', script]), 'waited for\n');
  });

  it('runs a command, from wardenpool/executor, by import and by require()', () => {
    const script = `
      (async () => {
        const execution = spawnIsolated(['true'], { policy: readOnly() });
        execution.protocol.resume();
        console.log((await execution.wait()).returncode);
      })();`;
    const names = '{ readOnly, spawnIsolated }';
    assert.equal(node('module', `import ${names} from 'wardenpool/executor'; ${script}`), '0\n');
    assert.equal(node('commonjs', `const ${names} = require('wardenpool/executor'); ${script}`), '0\n');
  });

  it('has its command line', () => {
    const command = join(project.folder, 'node_modules/.bin/wardenpool');
    assert.equal(run(command, ['exec', '-'], 'return 6 * 7'), '42\n');
    assert.match(run(command, ['--version']), /^\d+\.\d+\.\d+\n$/);
    assert.match(run(command, ['doctor']), /Code Mode runs here/);
  });

  it('exports the schemas and its package.json, and nothing inside', () => {
    const script = `
      const schema = require('wardenpool/receipt.schema.json');
      require('wardenpool/policy.schema.json');
      let inside;
      try { require('wardenpool/dist/pool/pool.js') } catch ({ code }) { inside = code }
      console.log(JSON.stringify([typeof schema.$id, require('wardenpool/package.json').name, inside]));`;
    assert.deepEqual(JSON.parse(node('commonjs', script)), [
      'string',
      'wardenpool',
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    ]);
  });

  it('asks for no script when it is installed', () => {
    const { scripts, gypfile } = JSON.parse(
      readFileSync(join(project.installed, 'package.json'), 'utf8'),
    ) as { scripts: Record<string, string>; gypfile: boolean };
    for (const name of ['preinstall', 'install', 'postinstall']) assert.equal(scripts[name], undefined);
    // npm would build a package that has this file.
    assert.equal(existsSync(join(project.installed, 'binding.gyp')), false);
    assert.equal(gypfile, false);
  });

  for (const machine of ['linux-x64', 'linux-arm64']) {
    it(`has the binaries for ${machine}, as SHA256SUMS says, and executable where they are executed`, () => {
      const folder = join(project.installed, 'prebuilds', machine);
      const files = project.files.filter(({ path }) => path.startsWith(`prebuilds/${machine}/`));
      assert.deepEqual(files.map(({ path }) => path.split('/').at(-1)).sort(), SHIPPED);
      for (const line of readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')) {
        const [digest, name = ''] = line.split('  ');
        const bytes = readFileSync(join(folder, name));
        assert.equal(createHash('sha256').update(bytes).digest('hex'), digest, name);
        // e_machine of ELF: 62 is x86-64, 183 is AArch64.
        assert.equal(bytes.readUInt16LE(18), machine === 'linux-x64' ? 62 : 183);
      }
      for (const { path, mode } of files)
        if (/\/(code-runner|wardenpool-launcher)$/.test(path)) assert.equal(mode & 0o111, 0o111, path);
    });
  }

  it('has a source map with its source for each file of code, and types', () => {
    const paths = new Set(project.files.map(({ path }) => path));
    const code = [...paths].filter((path) => path.endsWith('.js'));
    assert.ok(code.length > 100);
    for (const path of code) {
      assert.ok(paths.has(`${path}.map`), path);
      assert.ok(paths.has(path.replace(/\.js$/, '.d.ts')), path);
    }
    const map = JSON.parse(readFileSync(join(project.installed, 'dist/index.js.map'), 'utf8')) as {
      sourcesContent: string[];
    };
    assert.match(map.sourcesContent[0] ?? '', /createPool/);
  });

  it('is as small as README.md says', () => {
    const readme = readFileSync(join(project.installed, 'README.md'), 'utf8');
    const [, packed, unpacked] = /([0-9.]+) MB packed, ([0-9.]+) MB unpacked/.exec(readme) ?? [];
    const megabytes = { packed: project.packedBytes / 1e6, unpacked: project.unpackedBytes / 1e6 };
    const parts = new Map<string, number>();
    for (const { path, size } of project.files) {
      const part = path.startsWith('prebuilds/')
        ? path.split('/').slice(0, 2).join('/')
        : path.includes('/')
          ? `${path.split('/')[0]}${path.startsWith('dist/') ? path.slice(path.indexOf('.')) : ''}`
          : 'pages';
      parts.set(part, (parts.get(part) ?? 0) + size);
    }
    const found = `${JSON.stringify(megabytes)} ${JSON.stringify(Object.fromEntries(parts))}`;
    // A trained engine is somewhat larger than one that is not.
    assert.ok(Math.abs(Number(packed) - megabytes.packed) < 0.5, `${packed} MB packed: ${found}`);
    assert.ok(Math.abs(Number(unpacked) - megabytes.unpacked) < 1, `${unpacked} MB unpacked: ${found}`);
    assert.ok(project.unpackedBytes < 20 * MIB);
  });
});
