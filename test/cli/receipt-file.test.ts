/** `--receipt FILE`, where a command, or an earlier one, has had a hand in what is there. */
import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receipt } from '../../src/executor/receipt.js';
import { assertReceipt } from '../support/receipts.js';
import { wardenpool } from './command.js';
import { type RunEnd, run, runByShell } from './run-support.js';

function parseReceipt(text: string): Receipt {
  const receipt: unknown = JSON.parse(text);
  assertReceipt(receipt);
  return receipt;
}

describe('wardenpool run --receipt', () => {
  let directory: string;
  let workspace: string;
  let outside: string;
  beforeEach(() => {
    directory = mkdtempSync(join(realpathSync(tmpdir()), 'wardenpool-receipt-'));
    workspace = join(directory, 'workspace');
    outside = join(directory, 'outside');
    mkdirSync(workspace);
    mkdirSync(outside);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** In the workspace, which the command may write. */
  const runThere = (file: string, script: string, ...options: string[]): Promise<RunEnd> =>
    run(['--rw', ...options, '--receipt', file, '--', 'sh', '-c', script], '', { cwd: workspace });

  function assertRefused(end: RunEnd, says: RegExp): void {
    assert.equal(end.code, 125);
    assert.match(end.stderr, says);
    assert.match(end.stderr, /^wardenpool: the receipt cannot be written to [^\n]*\n$/);
  }

  const inWorkspace = (name: string): string => join(workspace, name);
  const assertNothingOutside = (): void => assert.deepEqual(readdirSync(outside), []);

  it('replaces a link that the command put there', async () => {
    const target = join(outside, 'target');
    for (const [index, before] of ['', 'precious'].entries()) {
      if (before !== '') writeFileSync(target, before);
      const end = await runThere('r.json', `rm -f r.json; ln -s ${target} r.json`);
      assert.deepEqual([end.code, end.stderr], [0, '']);
      assert.ok(lstatSync(inWorkspace('r.json')).isFile());
      assert.equal(parseReceipt(readFileSync(inWorkspace('r.json'), 'utf8')).state, 'complete');
      assert.deepEqual(readdirSync(outside), index === 0 ? [] : ['target']);
    }
    assert.equal(readFileSync(target, 'utf8'), 'precious');
  });

  it('replaces a FIFO that the command put there, and waits for no reader', async () => {
    const end = await runThere('r.json', 'rm -f r.json; mkfifo r.json');
    assert.deepEqual([end.code, end.stderr], [0, '']);
    assert.ok(lstatSync(inWorkspace('r.json')).isFile());
  });

  it('says where the receipt is, if the command put a directory there', async () => {
    assertRefusedButKept(await runThere('r.json', 'mkdir r.json'));
  });

  function assertRefusedButKept(end: RunEnd): void {
    assertRefused(end, /EISDIR: .*; it is in \/.* instead\n$/);
    const [, place = ''] = /; it is in (.*) instead\n$/.exec(end.stderr) ?? [];
    assert.equal(parseReceipt(readFileSync(place, 'utf8')).outcome.kind, 'exited');
  }

  it('follows no directory that the command swapped for a link, and says where the receipt is', async () => {
    mkdirSync(inWorkspace('out'));
    const end = await runThere('out/r.json', `mv out moved; ln -s ${outside} out`);
    assertRefused(end, /its directory was moved meanwhile: it is \/.*\/moved\/r\.json\n$/);
    assert.equal(parseReceipt(readFileSync(inWorkspace('moved/r.json'), 'utf8')).state, 'complete');
    assertNothingOutside();
  });

  it('says that there is no place left, if the command removed the directory', async () => {
    mkdirSync(inWorkspace('out'));
    assertRefused(await runThere('out/r.json', 'rmdir out'), /ENOENT: no such file or directory\n$/);
  });

  it('runs nothing if an earlier command put a link there, or in place of its directory', async () => {
    symlinkSync(join(outside, 'target'), inWorkspace('r.json'));
    symlinkSync(outside, inWorkspace('out'));
    assertRefused(
      await runThere('r.json', 'touch ran'),
      /it is a link, which a program may have put there: name its target\n$/,
    );
    for (const file of ['out/r.json', inWorkspace('out/r.json'), 'out/../r.json']) {
      const end = await runThere(file, 'touch ran');
      assertRefused(end, /its directory is reached through a link, .*: name it as \/.*\/r\.json\n$/);
    }
    assert.deepEqual(readdirSync(workspace).sort(), ['out', 'r.json']);
    assertNothingOutside();
  });

  it('runs nothing if a directory or a socket is named', async () => {
    mkdirSync(inWorkspace('out'));
    for (const file of ['out', 'out/', '.', 'out/..', '', '/'])
      assertRefused(await runThere(file, 'touch ran'), /it is a directory: name a file in it\n$/);
    const socket = `import socket; socket.socket(socket.AF_UNIX).bind('socket')`;
    const end = await runByShell(`python3 -c "${socket}" && $RUN --rw --receipt socket -- touch ran`, {
      cwd: workspace,
    });
    assertRefused(end, /it is a socket: name a file or a FIFO/);
    assert.deepEqual(readdirSync(workspace).sort(), ['out', 'socket']);
  });

  it('writes to a FIFO and to a device that the user names, and replaces neither', async () => {
    const end = await runByShell(
      'mkfifo f; $RUN --rw --receipt f -- sh -c "mv f g; echo x > f" & cat f; wait $!; exit $?',
      { cwd: workspace },
    );
    assert.equal(end.code, 0, end.stderr);
    assert.equal(parseReceipt(end.stdout.toString()).state, 'complete');
    assert.equal(readFileSync(inWorkspace('f'), 'utf8'), 'x\n');
    assert.equal((await runThere('/dev/null', 'exit 3')).code, 3);
    assert.ok(statSync('/dev/null').isCharacterDevice());
  });

  it('keeps the permissions of a file that was there, and leaves nothing else behind', async () => {
    writeFileSync(inWorkspace('r.json'), 'older', { mode: 0o600 });
    assert.equal((await runThere('r.json', 'exit 0')).code, 0);
    assert.equal(statSync(inWorkspace('r.json')).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(workspace), ['r.json']);
  });

  it('says before it runs anything that the directory may not be written', async () => {
    const end = await run(['--receipt', '/etc/r.json', '--', 'true'], '', {
      uid: 12_345,
      gid: 12_345,
      cwd: '/',
    });
    assertRefused(end, /EACCES: permission denied\n$/);
  });

  it('is as careful in wardenpool exec, where tools ran', async () => {
    symlinkSync(join(outside, 'target'), inWorkspace('link'));
    const refused = await wardenpool(['exec', '--receipt', 'link'], 'return 1', workspace);
    assert.deepEqual([refused.code, refused.stdout], [125, '']);
    assert.match(refused.stderr, /it is a link, .*: name its target\n$/);
    const module = inWorkspace('tools.mjs');
    writeFileSync(
      module,
      `import { symlinkSync } from 'node:fs'; export const t = () => symlinkSync(${JSON.stringify(join(outside, 'target'))}, 'r.json');`,
    );
    const ended = await wardenpool(
      ['exec', '--tools', module, '--receipt', 'r.json'],
      'await tools.t(); return 1',
      workspace,
    );
    assert.deepEqual(ended, { code: 0, stdout: '1\n', stderr: '' });
    assert.ok(lstatSync(inWorkspace('r.json')).isFile());
    assertNothingOutside();
  });
});
