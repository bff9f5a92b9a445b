import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type IsolatedResult, readOnly, readWrite, spawnIsolated } from 'wardenpool/executor';
import { bubblewrapOptions } from '../../../src/executor/command/bubblewrap-options.js';
import { privateTemporary } from '../../support/private-temporary.js';
import { descendants, eventually, statusField } from '../../support/processes.js';
import { readableCopy } from '../../support/readable-copy.js';
import {
  directory,
  missingFor,
  pidOf,
  policyWith,
  programNamed,
  removeDirectories,
  run,
  spawnFailureOf,
  withPath,
} from './run-command.js';

const backend = 'bubblewrap';
const isRoot = process.geteuid?.() === 0;
const HOST = 'test/support/one-command-host.mjs';
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const USER = 12_345;
const sh = (script: string) => ['sh', '-c', script];

/** Private directories of ours that were not removed. */
const left = () => readdirSync(tmpdir()).filter((name) => /^wardenpool-[A-Za-z0-9]{6}$/.test(name));

describe('executor: bubblewrap', () => {
  const temporary = privateTemporary();
  before(temporary.enter);
  after(temporary.leave);
  let there: string[];
  beforeEach(() => {
    there = left();
  });
  afterEach(() => {
    removeDirectories();
    assert.deepEqual(left(), there, 'no private directory is left');
  });

  it('runs a command, and its receipt names bwrap, its version and what is in force', async () => {
    const { receipt, returncode, signal } = await run(sh('exit 7'), { policy: readOnly(), backend });
    assert.deepEqual([returncode, signal], [7, null]);
    assert.equal(receipt.state, 'complete');
    const version = execFileSync('bwrap', ['--version'], { encoding: 'utf8' }).trim();
    assert.equal(`${receipt.backend.name} ${receipt.backend.version}`, version);
    assert.deepEqual([...new Set(Object.values(receipt.isolation.namespaces))], ['private']);
    const { seccomp, noNewPrivs, capabilities, userId } = receipt.isolation;
    assert.deepEqual([seccomp.mode, noNewPrivs, capabilities], ['filter', true, []]);
    assert.equal(userId, isRoot ? 65_534 : process.geteuid?.());
    assert.deepEqual(receipt.limitedBy, { tempBytes: 'tmpfs' });
  });

  it('tells a signal from an exit code', async () => {
    const killed = await run(sh('kill -SEGV $$'), { policy: readOnly(), backend });
    assert.deepEqual([killed.returncode, killed.signal], [null, 'SIGSEGV']);
    const exited = await run(sh('exit 139'), { policy: readOnly(), backend });
    assert.deepEqual([exited.returncode, exited.signal], [139, null]);
  });

  it('installs the filter of the namespaces backend', async () => {
    const own = await run(['true'], { policy: readOnly(), backend: 'namespaces' });
    const { receipt } = await run(['true'], { policy: readOnly(), backend });
    assert.deepEqual(receipt.isolation.seccomp, own.receipt.isolation.seccomp);
    const { stderr } = await run(
      sh('unshare -r true; grep -E "^(Seccomp|NoNewPrivs|CapPrm|CapBnd):" /proc/self/status'),
      {
        policy: readOnly(),
        backend,
      },
    );
    assert.match(stderr, /not permitted/);
    assert.match(stderr, /CapPrm:\t0+\n(CapBnd:.*\n)?NoNewPrivs:\t1\nSeccomp:\t2/);
  });

  it('is killed by our own signal as by any', async () => {
    const execution = spawnIsolated(sh('trap "" TERM; echo ready >&3; while :; do sleep 1; done'), {
      policy: readOnly(),
      backend,
      stop: { gracefulMs: 50 },
    });
    await once(execution.protocol, 'data');
    await execution.stop();
    const { signal, receipt } = await execution.wait();
    assert.equal(signal, 'SIGKILL');
    assert.deepEqual(
      [
        receipt.stop.gracefulStopAttempted,
        receipt.stop.forcedStopAttempted,
        receipt.stop.containmentConfirmed,
      ],
      [true, true, true],
    );
  });

  it('sends SIGTERM to the command, whose process is the one that `pid` names', async () => {
    const script = 'trap "exit 42" TERM; echo ready >&3; while :; do sleep 0.05; done';
    const execution = spawnIsolated(sh(script), { policy: readOnly(), backend });
    await once(execution.protocol, 'data');
    const pid = await pidOf(execution);
    assert.equal(
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 3).join(' '),
      `sh -c ${script}`,
    );
    await execution.stop();
    const { returncode, receipt } = await execution.wait();
    assert.equal(returncode, 42);
    assert.equal(receipt.stop.forcedStopAttempted, false);
  });

  it('enforces what the rules say, at the path and below', async () => {
    const workspace = directory();
    for (const name of ['open', 'secret', 'fixed/deep'])
      mkdirSync(join(workspace, name), { recursive: true });
    for (const name of ['open/a', 'secret/a', 'fixed/deep/a', 'hidden', 'constant', 'plain'])
      writeFileSync(join(workspace, name), 'x');
    execFileSync('chmod', ['-R', 'a+rwX', workspace]);
    const rule = (access: 'write' | 'deny' | 'deny-write', relative?: string) => ({
      access,
      path: { root: 'workspace' as const, ...(relative !== undefined && { relative }) },
    });
    const policy = policyWith([
      rule('write'),
      rule('deny', 'secret'),
      rule('deny', 'hidden'),
      rule('deny-write', 'fixed/deep/a'),
      rule('deny-write', 'constant'),
    ]);
    const attempts = {
      'echo y > plain': 0,
      'echo y > open/b': 0,
      'cat secret/a': 1,
      'ls secret': 2,
      'chmod 777 secret': 1,
      'cat hidden': 1,
      'chmod 777 hidden': 1,
      'mv hidden elsewhere': 1,
      'rm hidden': 1,
      'ln hidden elsewhere': 1,
      'cat fixed/deep/a': 0,
      'echo y > fixed/deep/a': 2,
      'mv fixed other': 1,
      'mv fixed/deep fixed/other': 1,
      'rm constant': 1,
      'echo y > constant': 2,
      'echo y > /usr/y': 2,
      'echo y > /y': 2,
      'echo y > /etc/y': 2,
      'echo y > /proc/sys/kernel/hostname': 2,
      'echo y > /tmp/y': 0,
      'cat /etc/shadow': 1,
      'ls /root': 2,
    };
    for (const [attempt, expected] of Object.entries(attempts)) {
      const { returncode, stderr } = await run(sh(attempt), { policy, backend, workspace });
      assert.equal(returncode, expected, `${attempt}: ${stderr}`);
    }
  });

  it('has a root that can be written and is gone afterwards, if the policy asks for one', async () => {
    const policy = policyWith([], { root: { mode: 'ephemeral-write' } });
    const limits = { tempBytes: 1_048_576 };
    const written = await run(sh('mkdir /new && echo y > /new/y && cat /new/y'), { policy, backend, limits });
    assert.equal(written.stderr, 'y\n');
    const filled = await run(sh('head -c 2000000 /dev/zero > /new'), { policy, backend, limits });
    assert.match(filled.stderr, /No space left/);
  });

  it('bounds the private temp in bytes', async () => {
    const { stderr } = await run(sh('head -c 2000000 /dev/zero > /tmp/large'), {
      policy: readOnly(),
      backend,
      limits: { tempBytes: 1_048_576 },
    });
    assert.match(stderr, /No space left/);
  });

  it('refuses a limit that was given and that it cannot enforce, by its name', async () => {
    const missing = await missingFor(['true'], { policy: readOnly(), backend, limits: { tempInodes: 100 } });
    assert.deepEqual(missing, [
      'bubblewrap: limits.tempInodes: it was given, and the bubblewrap backend cannot enforce it',
    ]);
  });

  it('keeps limits of the command from what makes its sandbox', async () => {
    const limits = { fileBytes: 0, openFiles: 8, processes: 4, cpuMs: 5_000 };
    const { returncode, stderr, receipt } = await run(sh('ulimit -n; ulimit -f'), {
      policy: readOnly(),
      backend,
      limits,
    });
    assert.equal(returncode, 0, stderr);
    assert.equal(stderr, '8\n0\n');
    assert.deepEqual(receipt.limits, { ...limits, tempBytes: 268_435_456 });
  });

  it('refuses to keep from being made what does not exist', async () => {
    const policy = policyWith([
      { access: 'write', path: { root: 'workspace' } },
      { access: 'deny', path: { root: 'workspace', relative: 'later' } },
    ]);
    const workspace = directory();
    const missing = await missingFor(['true'], { policy, backend, workspace });
    assert.deepEqual(missing, [
      'bubblewrap: fs-protect-create: needed for the policy, and never there in the bubblewrap backend',
    ]);
    assert.deepEqual(readdirSync(workspace), []);
  });

  it('gives the command descriptors 0 to 3 and those that it is to keep, and no other', async () => {
    const file = openSync('/dev/null', 'r');
    try {
      for (const preserveFds of [[], [file]]) {
        const { stderr } = await run(sh('ls /proc/$$/fd'), { policy: readOnly(), backend, preserveFds });
        const numbers = stderr.trim().split('\n').map(Number);
        assert.deepEqual(
          numbers.sort((a, b) => a - b),
          [0, 1, 2, 3, ...preserveFds],
        );
      }
    } finally {
      closeSync(file);
    }
  });

  it('gives the command nothing of our environment, nor of the one for bwrap', async () => {
    process.env['SECRET_OF_THE_HOST'] = 'do-not-tell';
    try {
      const { stderr } = await run(
        sh('env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr "\\0" "\\n" | grep -v "^cat" || true'),
        {
          policy: readOnly(),
          backend,
          environment: { GIVEN: 'yes' },
          launcherEnvironment: { SECRET_OF_THE_TOOL: 'do-not-tell' },
        },
      );
      assert.match(stderr, /GIVEN=yes/);
      assert.doesNotMatch(stderr, /do-not-tell|TMPDIR/);
    } finally {
      delete process.env['SECRET_OF_THE_HOST'];
    }
  });

  it('gives bwrap its environment and a private TMPDIR, and tells it nothing on its command line', async () => {
    const seen = join(directory(), 'seen');
    const real = execFileSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
    const path = programNamed(
      'bwrap',
      `#!/bin/sh\n[ "$1" = --version ] || { echo "$@"; env; stat -c "mode=%a empty=%h" "$TMPDIR"; } > ${seen}\nexec ${real} "$@"\n`,
    );
    await withPath(`${path}:/bin`, () =>
      run(['/bin/true'], {
        policy: readOnly(),
        backend,
        workspace: directory(),
        launcherEnvironment: { FOR_THE_TOOL: 'yes' },
      }),
    );
    const text = readFileSync(seen, 'utf8');
    assert.match(text, /^--args 4 -- \/\.wardenpool-launcher command-inside\n/);
    assert.match(text, /^FOR_THE_TOOL=yes$/m);
    assert.match(text, /^mode=700 empty=2$/m);
    const [, temp = ''] = /^TMPDIR=(.*)$/m.exec(text) ?? assert.fail(text);
    assert.equal(existsSync(temp), false);
    // Root's environment could be read by every process of the user that bwrap is.
    assert.equal(/^HOME=/m.test(text), !isRoot);
  });

  it('passes the program its own name and any number of arguments', async () => {
    const many = Array.from({ length: 12_000 }, (_, index) => String(index));
    const { stderr } = await run(['sh', '-c', 'echo $0 $# $(cat /proc/$$/comm)', 'zero', ...many], {
      policy: readOnly(),
      backend,
    });
    assert.equal(stderr, 'zero 12000 sh\n');
  });

  it('carries bytes both ways, and a half-close', async () => {
    const execution = spawnIsolated(sh('cat <&3 >&3'), { policy: readOnly(), backend });
    const sent = Buffer.alloc(1_000_000, 'x');
    execution.protocol.end(sent);
    const received: Buffer[] = [];
    for await (const chunk of execution.protocol) received.push(chunk as Buffer);
    assert.ok(Buffer.concat(received).equals(sent));
    const { receipt } = await execution.wait();
    assert.deepEqual([receipt.io.bytesIn, receipt.io.bytesOut], [sent.length, sent.length]);
  });

  it('has a network of its own, or the host’s, as the policy says', async () => {
    const inode = async (mode: 'none' | 'direct') => {
      const policy = policyWith([], { network: { mode } });
      const { stderr, receipt } = await run(['readlink', '/proc/self/ns/net'], { policy, backend });
      assert.equal(receipt.network.mode, mode);
      return stderr.trim();
    };
    const host = readlinkSync('/proc/self/ns/net');
    assert.notEqual(await inode('none'), host);
    assert.equal(await inode('direct'), host);
  });

  it('ends what the command leaves behind', async () => {
    const below = descendants(process.pid);
    const { receipt } = await run(sh('(setsid sleep 1000 &) ; sleep 1000 & exit 0'), {
      policy: readOnly(),
      backend,
    });
    assert.equal(receipt.stop.containmentConfirmed, true);
    assert.deepEqual(
      descendants(process.pid).filter((pid) => !below.includes(pid)),
      [],
    );
  });

  for (const [what, index] of [
    ['launcher', 0],
    ['bwrap', 1],
    ['launcher inside', 2],
  ] as const) {
    it(`ends with its ${what}, and says that what became of it is not known`, async () => {
      const others = descendants(process.pid);
      const execution = spawnIsolated(sh('echo ready >&3; sleep 1000'), { policy: readOnly(), backend });
      execution.stderr.resume();
      await once(execution.protocol, 'data');
      await pidOf(execution);
      // In their order: each is the child of the one before.
      const own = descendants(process.pid).filter((pid) => !others.includes(pid));
      process.kill(own[index] ?? assert.fail(), 'SIGKILL');
      const { receipt } = await execution.wait();
      assert.deepEqual([receipt.outcome.kind, receipt.state], ['lost', 'unavailable']);
      assert.ok(await eventually(() => own.every((pid) => !existsSync(`/proc/${pid}`)), 5_000));
    });
  }

  /** A bwrap that makes no sandbox once `marker` is there, but goes on, with a process that hears of nobody's death. */
  const stalling = (marker: string) => {
    const real = execFileSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
    return programNamed(
      'bwrap',
      `#!/bin/sh\n[ "$1" != --version ] && [ -e ${marker} ] && { sleep 1000 & wait; }\nexec ${real} "$@"\n`,
    );
  };
  const namesOf = (pids: readonly number[]) => pids.map((pid) => statusField(pid, 'Name'));
  const areGone = (pids: readonly number[]) => pids.every((pid) => !existsSync(`/proc/${pid}`));

  it('leaves nothing of a sandbox that was being made when its launcher is killed', async () => {
    const marker = join(directory(), 'stall');
    await withPath(`${stalling(marker)}:/bin`, async () => {
      await run(['/bin/true'], { policy: readOnly(), backend });
      writeFileSync(marker, '');
      const others = descendants(process.pid);
      const own = () => descendants(process.pid).filter((pid) => !others.includes(pid));
      const execution = spawnIsolated(['/bin/true'], { policy: readOnly(), backend });
      const lost = assert.rejects(execution.wait(), { name: 'LauncherLost' });
      assert.ok(await eventually(() => namesOf(own()).includes('sleep'), 10_000));
      const all = own();
      process.kill(all[0] ?? assert.fail(), 'SIGKILL');
      await lost;
      assert.ok(await eventually(() => areGone(all), 5_000));
    });
  });

  it('leaves nothing of a sandbox that was being made when its host is killed', async () => {
    const marker = join(directory(), 'stall');
    await withPath(`${stalling(marker)}:/bin`, async () => {
      writeFileSync(marker, '');
      const host = fork(
        join(ROOT, HOST),
        [
          'wardenpool/executor',
          JSON.stringify(['/bin/true']),
          JSON.stringify({ policy: readOnly(), backend }),
        ],
        { execArgv: [], cwd: ROOT },
      );
      const below = () => descendants(host.pid ?? assert.fail());
      assert.ok(await eventually(() => namesOf(below()).includes('sleep'), 10_000));
      const all = below();
      host.kill('SIGKILL');
      await once(host, 'exit');
      assert.ok(await eventually(() => areGone(all), 5_000));
      for (const name of left().filter((each) => !there.includes(each)))
        rmSync(join(tmpdir(), name), { recursive: true });
    });
  });

  it('ends with its host', async () => {
    const host = fork(
      join(ROOT, HOST),
      [
        'wardenpool/executor',
        JSON.stringify(sh('setsid sleep 1000 & sleep 1000')),
        JSON.stringify({ policy: readOnly(), backend }),
      ],
      { execArgv: [], cwd: ROOT },
    );
    const [{ pid }] = (await once(host, 'message')) as [{ pid: number }];
    const below = descendants(host.pid ?? assert.fail());
    assert.ok(below.includes(pid));
    host.kill('SIGKILL');
    await once(host, 'exit');
    assert.ok(await eventually(() => below.every((each) => !existsSync(`/proc/${each}`)), 5_000));
    for (const name of left().filter((each) => !there.includes(each)))
      rmSync(join(tmpdir(), name), { recursive: true });
  });

  it('runs for an ordinary user under its own uid', async () => {
    const copy = readableCopy();
    const host = fork(
      join(copy, HOST),
      [
        pathToFileURL(join(copy, 'dist/executor/index.js')).href,
        JSON.stringify(sh('id -u; cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -c do-not-tell')),
        JSON.stringify({ policy: readOnly(), backend }),
      ],
      {
        execArgv: [],
        cwd: copy,
        env: { PATH: process.env['PATH'], SECRET: 'do-not-tell' },
        ...(isRoot && { uid: USER, gid: USER }),
      },
    );
    const messages: { result?: IsolatedResult; stderr?: string; error?: string }[] = [];
    host.on('message', (message) => messages.push(message as (typeof messages)[number]));
    await once(host, 'exit');
    const { result, stderr, error } = messages.at(-1) ?? assert.fail('no message');
    assert.ok(result, error);
    assert.match(stderr ?? '', /^65534$/m);
    assert.match(stderr ?? '', /^0$/m);
    assert.equal(result.receipt.isolation.userId, isRoot ? USER : process.geteuid?.());
  });

  it('says of root’s workspaces which the unprivileged user cannot use, before anything starts', async () => {
    const workspace = directory();
    chmodSync(workspace, 0o755);
    const reading = await run(['ls'], { policy: readOnly(), backend, workspace });
    assert.equal(reading.returncode, 0);
    if (!isRoot) {
      assert.equal((await run(['touch', 'x'], { policy: readWrite(), backend, workspace })).returncode, 0);
      return;
    }
    const writing = await spawnFailureOf(['true'], { policy: readWrite(), backend, workspace });
    assert.match(writing.message, /cannot be written by user 65534.*change its owner or modes/);
    assert.equal(writing.code, 'EACCES');
    chmodSync(workspace, 0o700);
    const closed = await spawnFailureOf(['true'], { policy: readOnly(), backend, workspace });
    assert.match(closed.message, /cannot be read by user 65534/);
    const below = join(workspace, 'below');
    mkdirSync(below, { mode: 0o777 });
    const unreachable = await spawnFailureOf(['true'], { policy: readOnly(), backend, workspace: below });
    assert.match(unreachable.message, /or those of a directory above it/);
  });

  it('says why a program that is there cannot be executed', async () => {
    const workspace = directory();
    writeFileSync(join(workspace, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const failure = await spawnFailureOf([join(workspace, 'script')], {
      policy: readOnly(),
      backend,
      workspace,
    });
    assert.match(
      failure.message,
      /interpreter of the script .*\/no\/such\/interpreter, is not in the sandbox/,
    );
    assert.deepEqual([failure.code, failure.receipt?.outcome.kind], ['ENOENT', 'spawn-failed']);
  });

  it('does not take a failure of bwrap for the command’s', async () => {
    const real = execFileSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
    const marker = join(directory(), 'fail');
    const path = programNamed(
      'bwrap',
      `#!/bin/sh\n[ -e ${marker} ] && { echo "bwrap: no room for a sandbox" >&2; exit 1; }\nexec ${real} "$@"\n`,
    );
    await withPath(`${path}:/bin`, async () => {
      assert.equal((await run(sh('exit 1'), { policy: readOnly(), backend })).returncode, 1);
      writeFileSync(marker, '');
      const failure = await spawnFailureOf(sh('exit 1'), { policy: readOnly(), backend });
      assert.match(failure.message, /could not have the sandbox made \(bwrap: no room for a sandbox\)/);
      assert.equal(failure.receipt?.state, 'unavailable');
    });
  });

  const unsuitable: [string, string, RegExp][] = [
    ['an old bwrap', 'echo bubblewrap 0.6.2', /is bubblewrap 0\.6\.2, and 0\.7 or later is needed/],
    ['another program of that name', 'echo hello', /is no bubblewrap: it says "hello"/],
    ['a bwrap that does not start', 'exit 3', /does not tell its version/],
    [
      'a bwrap that makes nothing',
      'echo bubblewrap 0.9.0; [ "$1" = --version ]',
      /failed: .*it ended without saying why/,
    ],
    [
      'a bwrap that makes no namespaces',
      'echo bubblewrap 0.9.0; [ "$1" = --version ] || exec /proc/self/fd/5 command-inside',
      /it made no PID namespace/,
    ],
  ];
  for (const [what, script, reason] of unsuitable) {
    it(`refuses ${what}, and says so`, async () => {
      const path = programNamed('bwrap', `#!/bin/sh\n${script}\n`);
      const missing = await withPath(`${path}:/bin-of-nobody`, () =>
        missingFor(['/bin/true'], { policy: readOnly(), backend }),
      );
      assert.equal(missing.length, 1);
      assert.match(missing[0] ?? '', reason);
    });
  }

  it('says that there is no bwrap, and how to get one', async () => {
    const path = directory();
    const missing = await withPath(path, () => missingFor(['/bin/true'], { policy: readOnly(), backend }));
    assert.deepEqual(missing, ['bubblewrap: lifecycle: the command "bwrap" is in no directory of PATH']);
  });

  /** A bwrap which finds something else where a rule names `inner`, and puts it back once it has made its mounts. */
  const swapping = (workspace: string, other: string) => {
    const real = execFileSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
    const inner = join(workspace, 'inner');
    return programNamed(
      'bwrap',
      `#!/bin/sh\n[ -d ${workspace}/go ] && { mv ${inner} ${inner}.old; ln -s ${other} ${inner}; }\nexec ${real} "$@"\n`,
    );
  };

  for (const access of ['read', 'deny', 'deny-write'] as const) {
    it(`starts nothing if a link takes the place of a path that a rule ${access === 'read' ? 'grants' : 'protects'} (${access})`, async () => {
      const workspace = directory();
      const other = directory();
      mkdirSync(join(workspace, 'inner'));
      writeFileSync(join(workspace, 'inner', 'known'), 'ours');
      writeFileSync(join(other, 'foreign'), 'not for you');
      const rule = { access, path: { root: 'workspace' as const, relative: 'inner' } };
      const rules =
        access === 'read'
          ? [rule]
          : [{ access: 'write' as const, path: { root: 'workspace' as const } }, rule];
      const command = sh('cat /workspace/inner/*');
      await withPath(`${swapping(workspace, other)}:/bin`, async () => {
        const options = { policy: policyWith(rules), backend, workspace } as const;
        const { stderr } = await run(command, options);
        assert.equal(stderr.includes('ours'), access !== 'deny', stderr);
        mkdirSync(join(workspace, 'go'));
        const failure = await spawnFailureOf(command, options);
        assert.match(failure.message, /^could not .*\(.*inner/);
      });
    });
  }

  it('refuses a policy with more rules than bwrap takes', () => {
    const operations = Array.from({ length: 3_000 }, (_, index) => ({
      kind: 'grant' as const,
      target: `/${index}`,
      source: `/${index}`,
      writable: false,
    }));
    const root = {
      operations,
      privateNetwork: true,
      writableRootBytes: undefined,
      disableUserNamespaces: true,
    };
    assert.throws(() => bubblewrapOptions(root), /needs \d+ options of bwrap, which takes about 8900/);
  });

  it('keeps every path an option of its own, whatever it is called', () => {
    const target = '/--bind\n"/a b\'';
    const options = bubblewrapOptions({
      operations: [{ kind: 'grant', target, source: target, writable: true }],
      privateNetwork: false,
      writableRootBytes: undefined,
      disableUserNamespaces: false,
    });
    assert.deepEqual(options.slice(options.indexOf('--bind'), options.indexOf('--bind') + 3), [
      '--bind',
      target,
      target,
    ]);
  });
});
