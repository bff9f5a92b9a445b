import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  codeRunnerPath,
  compilePolicy,
  decodePolicy,
  InvalidOptionError,
  type Receipt,
  readOnly,
  SpawnFailed,
  spawnIsolated,
} from 'wardenpool/executor';
import { checkIsolatedOptions } from '../../../src/executor/command/options.js';
import { collect, shell, start } from './collect.js';
import { ODD_COMMANDS, writeOddCommands } from './odd-commands.js';

describe('spawnIsolated', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'wardenpool-spawn-'));
    chmodSync(directory, 0o755);
    writeOddCommands(directory);
  });
  after(() => rmSync(directory, { recursive: true }));

  it('gives the code with which the command exits', async () => {
    const { returncode, signal, receipt } = await collect(shell('exit 42'));
    assert.equal(returncode, 42);
    assert.equal(signal, null);
    assert.equal(receipt.state, 'complete');
    assert.deepEqual(receipt.outcome, { kind: 'exited', code: 42 });
  });

  it('gives the signal that ended it', async () => {
    const { returncode, signal } = await collect(shell('kill -SEGV $$'));
    assert.equal(returncode, null);
    assert.equal(signal, 'SIGSEGV');
  });

  it('runs the package’s own code-runner by its bare name', async () => {
    const { stderr, receipt } = await collect(['code-runner', '--version']);
    assert.match(stderr, /^code-runner \d/);
    assert.equal(receipt.executable.path, codeRunnerPath());
  });

  it('passes arguments on byte for byte', async () => {
    const bytes = Buffer.from([0xff, 0x20, 0xc3, 0x0a, 0xfe]);
    const { stderr, returncode } = await collect(['sh', '-c', 'printf %s "$1" | od -An -tx1', 'sh', bytes]);
    assert.equal(returncode, 0);
    assert.equal(stderr.trim(), 'ff 20 c3 0a fe');
  });

  describe('a command that', () => {
    for (const { title, name, says, failure, errno } of ODD_COMMANDS)
      it(`${title}: says so, with a receipt`, async () => {
        const path = name.startsWith('./') ? join(directory, name) : name;
        const error: SpawnFailed = await collect([path]).then(
          () => assert.fail('it ran'),
          (reason) => reason,
        );
        assert.ok(error instanceof SpawnFailed, String(error));
        assert.match(error.message, says);
        assert.equal(error.failure, failure);
        assert.equal(error.code, errno);
        const receipt: Receipt = error.receipt ?? assert.fail('no receipt');
        assert.equal(receipt.state, 'unavailable');
        assert.equal(receipt.outcome.kind, 'spawn-failed');
      });
  });

  it('runs a command with spaces, newlines and quotes in its path, and one of nearly 4,000 bytes', async () => {
    const odd = join(directory, 'a b\n"c\' $(d)');
    writeFileSync(odd, '#!/bin/sh\necho odd\n');
    chmodSync(odd, 0o755);
    assert.equal((await collect([odd])).stderr, 'odd\n');
    let deep = directory;
    while (deep.length < 3_800) deep = join(deep, 'd'.repeat(150));
    mkdirSync(deep, { recursive: true });
    const long = join(deep, 'command');
    writeFileSync(long, '#!/bin/sh\necho long; pwd\n');
    chmodSync(long, 0o755);
    assert.equal((await collect([long], { workspace: deep })).stderr, 'long\n/workspace\n');
  });

  it('does not run what the policy denies, by whatever link', async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'wardenpool-test-')));
    try {
      chmodSync(directory, 0o755);
      const [denied, workspace] = [join(directory, 'denied'), join(directory, 'workspace')];
      for (const each of [denied, workspace]) mkdirSync(each);
      copyFileSync('/bin/true', join(denied, 'tool'));
      symlinkSync(join(denied, 'tool'), join(workspace, 'link'));
      const base = readOnly();
      const rules = [...base.filesystem.rules, { access: 'deny', path: { absolute: denied } } as const];
      const policy = { ...base, filesystem: { ...base.filesystem, rules } };
      for (const command of [join(denied, 'tool'), join(workspace, 'link')])
        await assert.rejects(spawnIsolated([command], { policy, workspace }).wait(), {
          name: 'SpawnFailed',
          code: 'EACCES',
          message: `the policy denies the command ${join(denied, 'tool')}`,
        });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('refuses what is no command', () => {
    const refused: [unknown, RegExp][] = [
      ['ls', /is "ls": write a list .* as in \["ls", "-l"\]$/],
      ['ls -l', /is "ls -l": write a list .* as in \["sh", "-c", "ls -l"\]$/],
      [[], /is empty: write a list/],
      [[''], /the program of the command is empty/],
      [['a\0b'], /the program of the command contains a NUL/],
      [['a', 1], /argument 1 of the command is 1: it must be a string or bytes/],
      [['a', 'x'.repeat(131_072)], /argument 1 of the command is longer than the 131071 bytes/],
    ];
    for (const [command, says] of refused)
      assert.throws(
        () => start(command as string[]),
        (error) => error instanceof InvalidOptionError && says.test(error.message),
      );
    const notText = start([Buffer.from([0x2f, 0xff])]);
    return assert.rejects(notText.wait(), /no UTF-8/);
  });

  describe('preserveFds', () => {
    it('are at the same numbers in the command, whatever numbers the launcher uses itself', async () => {
      const numbers: number[] = [];
      try {
        for (let index = 0; index < 60; index++) {
          const path = join(directory, `preserved-${index}`);
          writeFileSync(path, `${index} `);
          numbers.push(openSync(path, 'r'));
        }
        const { stderr } = await collect(
          ['bash', '-c', numbers.map((number) => `cat <&${number}`).join('; ')],
          {
            preserveFds: numbers,
          },
        );
        assert.deepEqual(stderr.trim().split(' ').map(Number), [...Array(60).keys()]);
      } finally {
        for (const number of numbers) closeSync(number);
      }
    });

    it('are all that the command has besides 0 to 3', async () => {
      const number = openSync('/dev/null', 'r');
      const { stderr } = await collect(['ls', '/proc/self/fd'], { preserveFds: [number] });
      closeSync(number);
      // The directory itself is read by the lowest number that is free.
      assert.deepEqual(
        stderr
          .trim()
          .split('\n')
          .map(Number)
          .sort((a, b) => a - b),
        [0, 1, 2, 3, 4, number],
      );
    });

    it('must be open, and none of Node.js’s own', () => {
      assert.throws(
        () => start(['true'], { preserveFds: [100_000] }),
        /hands on descriptor 100000, which is not open/,
      );
      assert.throws(() => start(['true'], { preserveFds: [3] }), /must be an integer from 4/);
      for (const name of readdirSync('/proc/self/fd')
        .map(Number)
        .filter((number) => number > 3)) {
        try {
          start(['true'], { preserveFds: [name] }).stop();
        } catch (error) {
          assert.match((error as Error).message, /is not open|of Node\.js itself/);
        }
      }
    });
  });

  it('takes a policy as an object, as JSON text, as its bytes, and compiled, for the same', async () => {
    const text = JSON.stringify(readOnly());
    const compiled = compilePolicy(text);
    const sources = [
      readOnly(),
      text,
      Buffer.from(text),
      compiled,
      { ...compiled },
      decodePolicy(compiled.bytes),
    ];
    for (const policy of sources) {
      const { receipt } = await spawnIsolated(['true'], { policy }).wait();
      assert.equal(receipt.policyDigest, compiled.digest);
    }
  });

  it('refuses any other policy, and says what to pass', () => {
    const spawn = (policy: unknown) => () => spawnIsolated(['true'], { policy: policy as string });
    assert.throws(spawn(undefined), {
      name: 'InvalidOptionError',
      message:
        'option policy of spawnIsolated() is undefined: must be a policy: what readOnly(), readWrite() or compilePolicy() gives, ' +
        'an object of its JSON form, or JSON text',
    });
    assert.throws(spawn(readOnly), /is a function: must be a policy/);
    assert.throws(spawn('./policy.json'), {
      name: 'PolicyError',
      message: /^this text is the name of a file/,
    });
    assert.throws(spawn('read-only'), {
      name: 'PolicyError',
      message: /^line 1, column 1: this is not JSON/,
    });
    assert.throws(spawn(compilePolicy(readOnly()).bytes), {
      name: 'PolicyError',
      message: /give them to decodePolicy/,
    });
    assert.throws(spawn({ policy: readOnly() }), { name: 'PolicyError', message: /^policy does not exist/ });
  });

  it('says of every option what to write instead, and never in words of a library', () => {
    const options = Object.keys(checkIsolatedOptions({ policy: readOnly() })).filter(
      (name) => name !== 'limitsGiven',
    );
    const odd = [
      null,
      true,
      -1,
      1.5,
      '',
      'x\0',
      [],
      ['A=1'],
      [1, 1],
      [5.5],
      {},
      { A: 1 },
      { 'A=': 'x' },
      { '': 'x' },
    ];
    const odder = [
      { gracefulMs: '1' },
      { forcedMs: -1 },
      { wallMs: 0 },
      { other: 1 },
      Array.from({ length: 201 }, (_, n) => n + 4),
    ];
    let refused = 0;
    for (const name of options)
      for (const value of [...odd, ...odder])
        try {
          checkIsolatedOptions({ policy: readOnly(), [name]: value });
        } catch (error) {
          assert.ok(error instanceof Error);
          assert.equal(error.name, 'InvalidOptionError');
          assert.match(
            error.message,
            new RegExp(`option "?${name}\\b.*: .*(must|did you mean|there are)`),
            error.message,
          );
          assert.doesNotMatch(error.message, /Invalid|Too (big|small)|expected|received/);
          refused++;
        }
    assert.ok(refused > 100, String(refused));
    assert.throws(() => checkIsolatedOptions({ policy: readOnly(), environment: ['A=1'] }), {
      message:
        /environment of spawnIsolated\(\) is an array: must be an object of strings by name, as in \{ HOME: '\/tmp' \}$/,
      option: 'environment',
    });
  });

  it('takes the whole environment of a process', async () => {
    const { stderr } = await collect(['sh', '-c', 'echo "$PATH"'], {
      environment: process.env as Record<string, string>,
    });
    assert.equal(stderr.trim(), process.env['PATH']);
  });

  it('rejects wait() with an error of ours if descriptors run out', async () => {
    const program = `
      import { openSync } from 'node:fs';
      import { readOnly, spawnIsolated } from 'wardenpool/executor';
      await spawnIsolated(['true'], { policy: readOnly() }).wait();
      const first = openSync('/dev/null', 'r');
      try { for (;;) openSync('/dev/null', 'r'); } catch {}
      const error = await spawnIsolated(['true'], { policy: readOnly(), backend: 'namespaces' }).wait().catch((error) => error);
      console.log(JSON.stringify([error.name, error.code, error.failure, error.receipt?.state]));
    `;
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      'ulimit -n 256; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      program,
    ]);
    assert.deepEqual(JSON.parse(stdout), ['SpawnFailed', 'EMFILE', 'confinement', 'unavailable']);
  });

  it('refuses bad options by their names', () => {
    const meant = {
      limit: 'limits',
      env: 'environment',
      cwd: 'workspace',
      timeout: 'limits.wallMs',
      memory: 'limits.memoryBytes',
    };
    for (const [written, option] of Object.entries(meant))
      assert.throws(
        () => start(['true'], { [written]: {} } as object),
        new RegExp(`no option "${written}": did you mean ${option}\\?`),
      );
    assert.throws(
      () => start(['true'], { workspace: join(directory, 'none') }),
      /the workspace ".*none" cannot be used: ENOENT/,
    );
    assert.throws(() => start(['true'], { workspace: join(directory, 'plain') }), /is not a directory/);
    assert.throws(() => start(['true'], { environment: { 'A=B': '1' } }), /environment/);
  });
});
