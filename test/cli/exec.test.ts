import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertReceipt } from '../support/receipts.js';
import { wardenpool } from './command.js';

describe('wardenpool exec', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wardenpool-exec-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function file(name: string, content: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  }

  it('prints the value of a program from stdin, and its logs on stderr', async () => {
    const ended = await wardenpool(['exec'], "console.log('working'); return { a: [1, 'é'] }");
    assert.deepEqual(JSON.parse(ended.stdout), { a: [1, 'é'] });
    assert.equal(ended.stderr, 'working\n');
    assert.equal(ended.code, 0);
  });

  it('prints nothing for undefined', async () => {
    assert.deepEqual(await wardenpool(['exec', '-'], 'let a;'), { code: 0, stdout: '', stderr: '' });
  });

  it('runs a file with the tools of a module: its default export, or its exports', async () => {
    const program = await file('program.js', 'return (await tools.double({ n: 21 })).n');
    const double = '({ n }) => ({ n: 2 * n })';
    const byDefault = await file('default.mjs', `export default { double: ${double} }`);
    const byName = await file('named.mjs', `export const double = ${double}`);
    for (const module of [byDefault, byName]) {
      const ended = await wardenpool(['exec', program, '--tools', module]);
      assert.deepEqual(ended, { code: 0, stdout: '42\n', stderr: '' });
    }
  });

  it('exits with 1 for a program that fails, and shows where', async () => {
    const ended = await wardenpool(['exec'], 'const a = 1;\n  null.x;');
    assert.equal(ended.code, 1);
    assert.equal(ended.stdout, '');
    assert.match(ended.stderr, /^javascript TypeError: .*\n {2}2 \| {3}null\.x;\n {6,}\^\n/);
  });

  it('stops a program at --timeout-ms', async () => {
    const ended = await wardenpool(['exec', '--timeout-ms', '50'], 'for (;;);');
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /^timeout: .*50 ms/);
  });

  it('prints the whole run with --json, also when it failed', async () => {
    const ended = await wardenpool(['exec', '--json'], "console.log('x'); throw new RangeError('y')");
    const run = JSON.parse(ended.stdout);
    assert.equal(ended.code, 1);
    assert.equal(ended.stderr, '');
    assert.equal(run.ok, false);
    assert.equal(run.error.name, 'RangeError');
    assert.equal(run.logs[0].text, 'x');
    assertReceipt(run.receipt);
  });

  it('has no receipt on stdout, where the result is', async () => {
    const { code, stdout, stderr } = await wardenpool(['exec', '--receipt', '-'], 'return 1');
    assert.deepEqual([code, stdout], [125, '']);
    assert.match(
      stderr,
      /It must be a file, as stdout is taken: name one, or \/dev\/stderr, or \/dev\/fd\/N/,
    );
  });

  it('writes the receipt to a file', async () => {
    const path = join(directory, 'receipt.json');
    const ended = await wardenpool(['exec', '--receipt', path], 'return 1');
    assert.equal(ended.code, 0);
    assertReceipt(JSON.parse(await readFile(path, 'utf8')));
  });

  it('exits with 125, and one line, for what is not the fault of the program', async () => {
    const missing = await wardenpool(['exec', join(directory, 'none.js')]);
    assert.equal(missing.code, 125);
    assert.match(missing.stderr, /^wardenpool: the program .*none\.js cannot be read: .*\n$/);
    const module = await wardenpool(['exec', '--tools', join(directory, 'none.mjs')], '1');
    assert.equal(module.code, 125);
    assert.match(module.stderr, /^wardenpool: the tools of .*none\.mjs cannot be loaded: /);
    const tools = await file('bad.mjs', 'export const a = 1');
    const tool = await wardenpool(['exec', '--tools', tools], '1');
    assert.equal(tool.code, 125);
    assert.match(tool.stderr, /^wardenpool: tools\["a"\] is 1:/);
  });

  it('refuses a program that is not UTF-8', async () => {
    const path = join(directory, 'latin1.js');
    await writeFile(path, Buffer.from([0x72, 0xff]));
    assert.match((await wardenpool(['exec', path])).stderr, /is not UTF-8/);
  });

  it('refuses unknown options and values that make no sense', async () => {
    assert.equal((await wardenpool(['exec', '--timeout-ms', '0'], '1')).code, 125);
    assert.equal((await wardenpool(['exec', '--colour'], '1')).code, 125);
    assert.equal((await wardenpool(['fly'])).code, 125);
  });

  it('names the range of --timeout-ms, and the help of exec', async () => {
    for (const value of ['0', '2147000001', '99999999999', '1.5', 'x']) {
      const ended = await wardenpool(['exec', '--timeout-ms', value], 'return 1');
      assert.equal(ended.code, 125);
      assert.match(ended.stderr, /whole number of milliseconds, from 1 to 2147000000\./);
      assert.match(ended.stderr, /\n\(wardenpool exec --help says more\)\n$/);
    }
    assert.equal((await wardenpool(['exec', '--timeout-ms', '2147000000'], 'return 1')).code, 0);
    assert.match((await wardenpool(['fly'])).stderr, /\n\(wardenpool --help says more\)\n$/);
  });

  it('runs an executable file: its #! line is blank, and positions stay', async () => {
    const path = await file('executable.js', '#!/usr/bin/env -S wardenpool exec\nnull.x;');
    assert.match((await wardenpool(['exec', path])).stderr, /\n {2}2 \| null\.x;\n/);
    assert.deepEqual(await wardenpool(['exec'], '#!/bin/x\r\nreturn 1'), {
      code: 0,
      stdout: '1\n',
      stderr: '',
    });
  });

  it('shows the commands, and says that none was given, with 125', async () => {
    for (const args of [[], ['policy']]) {
      const ended = await wardenpool(args);
      assert.deepEqual([ended.code, ended.stdout], [125, '']);
      assert.match(ended.stderr, /^Usage: wardenpool .*\n/);
      assert.match(ended.stderr, /^wardenpool: no command was given: name one of those above\n$/m);
    }
  });

  it('has --help and --version', async () => {
    const help = await wardenpool(['exec', '--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /--tools <module>/);
    const version = await wardenpool(['--version']);
    assert.equal(version.code, 0);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  });
});
