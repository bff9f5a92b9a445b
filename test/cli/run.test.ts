import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilePolicy, type PolicyRule, probeCgroups, type Receipt, readOnly } from 'wardenpool/executor';
import { ODD_COMMANDS, writeOddCommands } from '../executor/command/odd-commands.js';
import { endOf, run, runByShell, startRun } from './run-support.js';

const INHERIT = ['--io', 'inherit', '--'];

describe('wardenpool run', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'wardenpool-run-'));
    chmodSync(directory, 0o755);
    writeOddCommands(directory);
    writeFileSync(join(directory, 'hello.txt'), 'hello\n');
    const base = readOnly();
    const withRule = (rule: PolicyRule): string =>
      JSON.stringify({
        ...base,
        filesystem: { ...base.filesystem, rules: [...base.filesystem.rules, rule] },
      });
    writeFileSync(
      join(directory, 'unresolved.json'),
      withRule({ access: 'read', path: { absolute: '/nope' } }),
    );
    writeFileSync(join(directory, 'conflict.json'), withRule({ access: 'deny', path: { absolute: '/' } }));
    writeFileSync(join(directory, 'policy.mir'), compilePolicy(base).bytes);
  });
  after(() => rmSync(directory, { recursive: true }));

  const receiptOf = (name: string): Receipt =>
    JSON.parse(readFileSync(join(directory, name), 'utf8')) as Receipt;

  describe('ends with', () => {
    it('the code of the command', async () => {
      for (const code of [0, 1, 42, 255])
        assert.equal((await run(['--', 'sh', '-c', `exit ${code}`])).code, code);
    });

    it('128 and the number of the signal that ended it', async () => {
      assert.equal((await run(['--', 'sh', '-c', 'kill -KILL $$'])).code, 137);
      assert.equal((await run(['--', 'sh', '-c', 'kill -SEGV $$'])).code, 139);
    });

    for (const { title, name, says, failure } of ODD_COMMANDS) {
      const code = failure === 'not-found' ? 127 : 126;
      it(`${code} and one line for a command that ${title}`, async () => {
        const path = name.startsWith('./') ? join(directory, name) : name;
        const end = await run(['--receipt', join(directory, 'odd.json'), '--', path]);
        assert.equal(end.code, code);
        assert.match(end.stderr, /^wardenpool: [^\n]*\n$/);
        assert.match(end.stderr, says);
        assert.equal(end.stdout.length, 0);
        assert.equal(receiptOf('odd.json').state, 'unavailable');
      });
    }

    it('125 and one line for what is wrong with its own options', async () => {
      const cases: [string[], RegExp][] = [
        [['--memory', '1', '--', 'true'], /--memory is 1: must be an integer from 1048576/],
        [['--wall-time', 'x', '--', 'true'], /It must be a whole number/],
        [['--memory', '5X', '--', 'true'], /with K, M, G or T/],
        [['--preserve-fd', '3', '--', 'true'], /from 4 to 1048575/],
        [
          ['--preserve-fd', '1000', '--', 'true'],
          /--preserve-fd hands on descriptor 1000, which is not open/,
        ],
        [
          ['--policy', join(directory, 'none.json'), '--', 'true'],
          /the policy .*none\.json cannot be read: ENOENT/,
        ],
        [
          ['--policy', join(directory, 'hello.txt'), '--', 'true'],
          /the policy .*hello\.txt: line 1, column 1: this/,
        ],
        [
          ['--policy', join(directory, 'unresolved.json'), '--', 'true'],
          /the policy .*unresolved\.json: the rule read tree \/nope/,
        ],
        [
          ['--policy', join(directory, 'conflict.json'), '--', 'true'],
          /the policy .*conflict\.json: the rules can be read in two ways/,
        ],
        [['--policy', '-', '--', 'true'], /stdin is the command’s: name one, or \/dev\/fd\/N/],
        [['--receipt', '-', '--', 'true'], /It must be a file, as stdout is taken/],
        [
          ['--environment', 'inherit', '--', 'true'],
          /must be empty: a command never has our variables but those that --env names/,
        ],
        [['--io', 'both', '--', 'true'], /must be isolated-duplex or inherit\./],
        [['--backend', 'docker', '--', 'true'], /must be auto, namespaces, .* or posix\./],
        [
          ['--invocation-id', '', '--', 'true'],
          /^wardenpool: --invocation-id is "": must be a string of 1 to 256/,
        ],
        [
          ['--grace-time', '600001', '--', 'true'],
          /^wardenpool: --grace-time is 600001: must be an integer from 0/,
        ],
        [
          ['--workspace', '', '--', 'true'],
          /^wardenpool: --workspace is "": must be the path of a directory/,
        ],
        [['--temp-inodes', '0', '--', 'true'], /^wardenpool: --temp-inodes is 0: must be an integer from 2/],
        [['--wal-time', '1', '--', 'true'], /unknown option '--wal-time'\n\(Did you mean --wall-time\?\)/],
        [['--timeout=1', '--', 'true'], /unknown option '--timeout=1'\n\(Did you mean --wall-time\?\)/],
        [['--network', 'none', '--', 'true'], /\(Did you mean --policy, with a file whose "network"/],
        [
          ['--workspace', join(directory, 'none'), '--', 'true'],
          /the workspace ".*none" cannot be used: ENOENT/,
        ],
        [['--ro', '--rw', '--', 'true'], /'--ro' cannot be used with option '--rw'/],
        [['--colour', '--', 'true'], /unknown option '--colour'/],
        [['--env', '=x', '--', 'true'], /NAME=VALUE/],
        [[], /missing required argument 'command'/],
        [
          ['--receipt', join(directory, 'no/such'), '--', 'true'],
          /the receipt cannot be written to .*no\/such: ENOENT/,
        ],
      ];
      for (const [args, says] of cases) {
        const end = await run(args);
        assert.equal(end.code, 125, args.join(' '));
        assert.match(end.stderr, /^wardenpool: /);
        assert.match(end.stderr, says);
        assert.equal(end.stdout.length, 0);
      }
    });
  });

  describe('lets a user expect that', () => {
    it('--ro shows the current directory, and it cannot be written', async () => {
      const end = await run([...INHERIT, 'sh', '-c', 'pwd; cat hello.txt; echo x > new'], '', {
        cwd: directory,
      });
      assert.equal(end.stdout.toString(), '/workspace\nhello\n');
      assert.match(end.stderr, /Read-only file system/);
      assert.notEqual(end.code, 0);
    });

    it('--rw lets it be written, by the owner of the directory as the host has it', async () => {
      const end = await run(['--rw', ...INHERIT, 'sh', '-c', 'echo written > new; cat new'], '', {
        cwd: directory,
      });
      assert.equal(end.stdout.toString(), 'written\n');
      assert.equal(readFileSync(join(directory, 'new'), 'utf8'), 'written\n');
    });

    it('options after the command are the command’s, with -- or without', async () => {
      for (const dashes of [['--'], []]) {
        const end = await run(['--io', 'inherit', ...dashes, 'echo', '--help', '--io', '--', '-x']);
        assert.equal(end.stdout.toString(), '--help --io -- -x\n');
      }
    });

    it('the environment is empty but for --env', async () => {
      const end = await run(
        [
          '--env',
          'A=1=2',
          '--env',
          'FROM_US',
          '--env',
          'NOT_OURS',
          '--environment',
          'empty',
          ...INHERIT,
          'env',
        ],
        '',
        {
          env: { ...process.env, FROM_US: 'ours', NOT_OURS: undefined, OTHER: 'x' },
        },
      );
      assert.deepEqual(end.stdout.toString().trim().split('\n').sort(), ['A=1=2', 'FROM_US=ours']);
    });

    it('a policy of a file holds', async () => {
      const policy = join(directory, 'a policy\n.json');
      writeFileSync(
        policy,
        execFileSync(process.execPath, [
          '--input-type=module',
          '-e',
          "import { readOnly } from 'wardenpool/executor'; console.log(JSON.stringify(readOnly()))",
        ]),
      );
      const end = await run(['--policy', policy, ...INHERIT, 'cat', 'hello.txt'], '', { cwd: directory });
      assert.equal(end.stdout.toString(), 'hello\n');
    });

    it('limits are enforced, and those of time are said', async () => {
      const end = await run([
        '--wall-time',
        '200',
        '--receipt',
        join(directory, 'limit.json'),
        '--',
        'sleep',
        '600',
      ]);
      assert.equal(end.code, 143);
      assert.equal(
        end.stderr,
        'wardenpool: the command was stopped: it took longer than --wall-time, 200 ms\n',
      );
      assert.equal(receiptOf('limit.json').limitedBy?.['wallMs'], 'timer');
      assert.deepEqual(receiptOf('limit.json').limitsReached, ['wallMs']);
      const busy = await run(['--cpu-time', '300', '--', 'sh', '-c', 'while :; do :; done']);
      assert.equal(
        busy.stderr,
        'wardenpool: the command was stopped: it used more than --cpu-time, 300 ms\n',
      );
      const small = await run([
        '--temp-bytes',
        '64K',
        ...INHERIT,
        'sh',
        '-c',
        'head -c 100000 /dev/zero > /tmp/x',
      ]);
      assert.match(small.stderr, /No space left/);
    });

    it('a command that the kernel kills for its memory is told from one that is killed', async () => {
      assert.equal(probeCgroups().version === 'none', false, 'no cgroup may be made on this machine');
      const big = ['python3', '-c', 'x = bytearray(200_000_000)'];
      const end = await run(['--memory', '64M', ...INHERIT, ...big]);
      assert.equal(end.code, 137);
      assert.equal(
        end.stderr,
        "wardenpool: the kernel killed 1 of the command's processes: together they needed more than --memory, 67108864 bytes\n",
      );
      const goesOn = await run(['--memory', '64M', ...INHERIT, 'sh', '-c', '"$@"; echo $?', 'sh', ...big]);
      assert.deepEqual([goesOn.code, goesOn.stdout.toString()], [0, '137\n']);
      assert.match(goesOn.stderr, /the kernel killed 1 of the command's processes/);
      assert.equal((await run(['--memory', '64M', ...INHERIT, 'sh', '-c', 'kill -9 $$'])).stderr, '');
    });

    it('a policy in its binary form is one too', async () => {
      const end = await run(['--policy', 'policy.mir', ...INHERIT, 'cat', 'hello.txt'], '', {
        cwd: directory,
      });
      assert.equal(end.stdout.toString(), 'hello\n', end.stderr);
    });

    it('a descriptor is preserved at its number', async () => {
      const end = await runByShell(
        "exec 4<hello.txt 9<hello.txt; $RUN --preserve-fd 4 --preserve-fd 9 --io inherit -- bash -c \"cat <&4; ls /proc/self/fd | tr '\\n' ' '\"",
        { cwd: directory },
      );
      assert.equal(end.stdout.toString(), 'hello\n0 1 2 3 4 9 ');
      assert.equal(end.code, 0, end.stderr);
    });

    for (const uid of [0, 12_345])
      it(`bash, python3, node and git work, as ${uid === 0 ? 'the user of the tests' : 'an ordinary user'}`, async () => {
        const place = mkdtempSync(join(directory, 'work-'));
        execFileSync('git', ['init', '-q', place]);
        writeFileSync(join(place, 'file'), 'x');
        const asUser = uid === 0 || process.geteuid?.() !== 0 ? {} : { uid, gid: uid };
        if (asUser.uid !== undefined)
          for (const path of execFileSync('find', [place], { encoding: 'utf8' }).trim().split('\n'))
            chownSync(path, uid, uid);
        const cases: [string[], RegExp][] = [
          [['bash', '-c', 'echo $BASH_VERSION'], /^\d/],
          [['python3', '-c', 'import os, ssl, json; print(os.listdir("."))'], /'file'/],
          [['git', 'status', '--short'], /\?\? file/],
          [['node', '-p', '6 * 7'], /^42$/m],
        ];
        for (const mode of ['--ro', '--rw'])
          for (const [command, prints] of cases) {
            const end = await run([mode, ...INHERIT, ...command], '', { cwd: place, ...asUser });
            assert.match(end.stdout.toString(), prints, `${command.join(' ')}: ${end.stderr}`);
            assert.equal(end.code, 0, end.stderr);
          }
      });
  });

  describe('takes bytes that are no UTF-8', () => {
    it('in arguments', async () => {
      const end = await runByShell("$RUN --io inherit -- printf '%s' $'\\xff\\xfe a' $'\\xc3\\xa9\\xc3'");
      assert.deepEqual([...end.stdout], [0xff, 0xfe, 0x20, 0x61, 0xc3, 0xa9, 0xc3]);
    });

    it('in the names of the policy and of the receipt', async () => {
      const program = `printf '%s' '{}' > $'\\xff.json'; $RUN --policy $'\\xff.json' -- true; $RUN --receipt $'\\xfe.json' -- true; cat $'\\xfe.json'`;
      const end = await runByShell(program, { cwd: directory });
      assert.doesNotMatch(end.stderr, /cannot be read/);
      assert.equal((JSON.parse(end.stdout.toString()) as Receipt).state, 'complete');
    });

    it('and refuses what policies cannot name: workspace, current directory, program', async () => {
      const program = `mkdir -p $'\\xff'; $RUN --workspace $'\\xff' -- true; echo $?; $RUN -- $'./\\xff/x'; echo $?; cd $'\\xff'; $RUN -- true; echo $?`;
      const end = await runByShell(program, { cwd: directory });
      assert.equal(end.stdout.toString(), '125\n127\n125\n');
      assert.match(end.stderr, /workspace.*no UTF-8.*\n.*command.*no UTF-8.*\n.*workspace.*no UTF-8/);
    });

    it('and refuses a current directory that is gone', async () => {
      const end = await runByShell('mkdir gone; cd gone; rmdir ../gone; $RUN -- true', { cwd: directory });
      assert.equal(end.code, 125);
      assert.match(
        end.stderr,
        /^wardenpool: the current directory no longer exists: name another by --workspace\n$/,
      );
    });
  });

  it('takes a workspace with spaces and newlines, and one of nearly 4,000 bytes', async () => {
    let deep = join(directory, 'a b\n"c"');
    while (deep.length < 3_800) deep = join(deep, 'd'.repeat(200));
    mkdirSync(deep, { recursive: true });
    const end = await run(['--rw', '--workspace', deep, ...INHERIT, 'sh', '-c', 'pwd; echo x > y; cat y']);
    assert.equal(end.stdout.toString(), '/workspace\nx\n', end.stderr);
  });

  it('writes the receipt to a descriptor and to a FIFO too', async () => {
    const byNumber = await runByShell('$RUN --receipt /dev/fd/5 -- true 5>&1 | cat');
    assert.equal((JSON.parse(byNumber.stdout.toString()) as Receipt).outcome.kind, 'exited');
    const byName = await runByShell(
      '$RUN --receipt /dev/stderr -- true 2>log; $RUN --receipt /dev/stderr -- true 2>>log; wc -l < log',
      {
        cwd: directory,
      },
    );
    const lines = Number(byName.stdout.toString());
    assert.ok(lines > 100 && lines % 2 === 0, `both are in the log of ${lines} lines`);
    const byFifo = await runByShell('mkfifo f; $RUN --receipt f -- false & cat f; wait $!; exit $?', {
      cwd: directory,
    });
    assert.equal((JSON.parse(byFifo.stdout.toString()) as Receipt).outcome.code, 1);
    assert.equal(byFifo.code, 1);
  });

  it('hands its own streams to the command with --io inherit', async () => {
    const child = startRun([...INHERIT, 'sh', '-c', 'cat; echo err >&2']);
    child.stdin.end('in');
    const end = await endOf(child);
    assert.equal(end.stdout.toString(), 'in');
    assert.equal(end.stderr, 'err\n');
  });

  it('has --help', async () => {
    const end = await run(['--help']);
    assert.equal(end.code, 0);
    assert.match(end.stdout.toString(), /--wall-time <ms>/);
    assert.match(end.stdout.toString(), /Exit code: the command's own; 128/);
  });
});
