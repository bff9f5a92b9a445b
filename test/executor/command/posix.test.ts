import assert from 'node:assert/strict';
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOnly, spawnIsolated } from 'wardenpool/executor';
import { privateTemporary } from '../../support/private-temporary.js';
import { eventually } from '../../support/processes.js';
import {
  directory,
  missingFor,
  pidOf,
  policyWith,
  removeDirectories,
  run,
  spawnFailureOf,
  UNCONFINED,
} from './run-command.js';

const backend = 'posix';
const policy = UNCONFINED;
const isRoot = process.geteuid?.() === 0;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const sh = (script: string) => ['sh', '-c', script];

/** Private directories of ours that were not removed. */
const left = () => readdirSync(tmpdir()).filter((name) => /^wardenpool-[A-Za-z0-9]{6}$/.test(name));
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe('executor: posix', () => {
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

  it('runs a command, and its receipt says that nothing confined it', async () => {
    const { receipt, returncode } = await run(sh('exit 7'), { policy, backend });
    assert.equal(returncode, 7);
    assert.equal(receipt.backend.name, 'posix');
    const { namespaces, seccomp, noNewPrivs, landlock, procfs, boundingSet } = receipt.isolation;
    assert.deepEqual([...new Set(Object.values(namespaces))], ['host']);
    assert.deepEqual(
      { seccomp, noNewPrivs, landlock, procfs, boundingSet },
      { seccomp: { mode: 'none' }, noNewPrivs: false, landlock: null, procfs: 'host', boundingSet: 'host' },
    );
    assert.equal(receipt.network.mode, 'direct');
    assert.deepEqual([receipt.limits, receipt.limitedBy], [{}, {}]);
  });

  it('refuses every policy that asks for confinement, and names all that it asks for', async () => {
    const missing = await missingFor(['true'], { policy: readOnly(), backend });
    assert.deepEqual(
      missing.map((text) => text.split(':')[1]?.trim()),
      ['fs-read', 'fs-write', 'network-none', 'process-tree'],
    );
    const denying = {
      ...policy,
      filesystem: {
        ...policy.filesystem,
        rules: [...policy.filesystem.rules, { access: 'deny', path: { absolute: '/root' } } as const],
      },
    };
    assert.match((await missingFor(['true'], { policy: denying, backend })).join(), /posix: fs-deny: /);
  });

  it('is no choice of "auto"', async () => {
    const { receipt } = await run(['/bin/true'], { policy: policyWith([]) });
    assert.notEqual(receipt.backend.name, 'posix');
  });

  it('gives it a working directory and a TMPDIR of its own, mode 0700, and nothing else of an environment', async () => {
    const { stderr } = await run(sh('pwd; stat -c "%a %u" . "$TMPDIR"; env'), { policy, backend });
    const user = isRoot ? 65_534 : process.geteuid?.();
    const [place = '', ...rest] = stderr.trim().split('\n');
    const temp = place.replace(/workspace$/, 'temp');
    assert.match(place, /\/wardenpool-[A-Za-z0-9]{6}\/workspace$/);
    assert.deepEqual(rest.sort(), [`700 ${user}`, `700 ${user}`, `TMPDIR=${temp}`, `PWD=${place}`].sort());
  });

  it('works in the workspace that it was given, and leaves it as it is', async () => {
    const workspace = directory();
    const { stderr } = await run(sh('pwd; echo y > made; echo $TMPDIR'), {
      policy,
      backend,
      workspace,
      environment: { TMPDIR: '/elsewhere', PATH: '/usr/bin:/bin' },
    });
    assert.equal(stderr, `${workspace}\n/elsewhere\n`);
    assert.equal(readFileSync(join(workspace, 'made'), 'utf8'), 'y\n');
  });

  it('removes what the command left, whatever it is, and follows no link', async function () {
    // A hundred thousand files are made and removed, in the time that a disk takes which others use too.
    this.timeout(300_000);
    const outside = directory();
    writeFileSync(join(outside, 'kept'), 'y');
    const script = `
      cd "$TMPDIR"
      mkdir -p closed/below && touch closed/below/file && ln -s ${outside} link && ln -s ${outside}/kept closed/link
      ln -s . loop; mkfifo fifo; mkdir "$(printf 'bad\\377name')"; touch "$(printf 'bad\\377name/\\376')" ./-rf '*' ' '
      mkdir 1 2 3; touch 1/1 2/2
      python3 -c 'import os; [(os.mkdir("deep"), os.chdir("deep")) for _ in range(4000)]' || exit 1
      mkdir many; cd many; seq 100000 | xargs touch; cd ..
      chmod 0 closed/below closed many
    `;
    const { returncode, stderr } = await run(sh(script), { policy, backend });
    assert.equal(returncode, 0, stderr);
    assert.deepEqual(left(), there);
    assert.equal(readFileSync(join(outside, 'kept'), 'utf8'), 'y');
    assert.ok(lstatSync(outside).isDirectory());
  });

  it('warns of what it could not remove', async () => {
    let place = '';
    const warned = once(process, 'warning');
    const execution = spawnIsolated(sh('pwd >&3; read line <&3'), { policy, backend });
    execution.stderr.resume();
    const [chunk] = (await once(execution.protocol, 'data')) as [Buffer];
    place = chunk.toString().trim();
    // Nobody but who made it can have it in the way.
    const foreign = join(place, '..', 'foreign');
    mkdirSync(foreign);
    execution.protocol.end('go on\n');
    await execution.wait();
    const [warning] = (await warned) as [Error];
    assert.match(warning.message, /the private directory .*wardenpool-\w+ of a command could not be removed/);
    rmSync(join(place, '..'), { recursive: true });
  });

  it('ends what the command leaves behind', async () => {
    // The third says its PID itself, in its own time: the command waits for that.
    const script = `
      mkfifo "$TMPDIR/said"
      (setsid sleep 1000 & echo $!); sleep 1000 & echo $!
      (setsid sh -c 'echo $$; : > "$TMPDIR/said"; sleep 1000; true' &)
      read -r _ < "$TMPDIR/said"
      exit 0
    `;
    const { stderr, receipt } = await run(sh(script), { policy, backend });
    const pids = stderr.trim().split('\n').map(Number);
    assert.equal(pids.length, 3, stderr);
    assert.deepEqual(pids.filter(isAlive), []);
    assert.equal(receipt.stop.containmentConfirmed, true);
  });

  it('ends with its host, and what it left behind too', async () => {
    const place = directory();
    const script = `(setsid sh -c 'echo $$ > ${place}/pid; sleep 1000; true' &); sleep 1000; true`;
    const host = fork(
      join(ROOT, 'test/support/one-command-host.mjs'),
      ['wardenpool/executor', JSON.stringify(sh(script)), JSON.stringify({ policy, backend })],
      { execArgv: [], cwd: ROOT },
    );
    const [{ pid }] = (await once(host, 'message')) as [{ pid: number }];
    assert.ok(await eventually(() => existsSync(join(place, 'pid')), 5_000));
    assert.ok(await eventually(() => readFileSync(join(place, 'pid'), 'utf8').endsWith('\n'), 5_000));
    const orphan = Number(readFileSync(join(place, 'pid'), 'utf8'));
    host.kill('SIGKILL');
    await once(host, 'exit');
    assert.ok(await eventually(() => !isAlive(pid) && !isAlive(orphan), 5_000));
    for (const name of left().filter((each) => !there.includes(each)))
      rmSync(join(tmpdir(), name), { recursive: true });
  });

  it('is over when its launcher is killed, and says that what became of it is not known', async () => {
    const execution = spawnIsolated(sh('echo ready >&3; sleep 1000'), { policy, backend });
    execution.stderr.resume();
    await once(execution.protocol, 'data');
    const command = await pidOf(execution);
    const launcher = Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${command}/status`, 'utf8'))?.[1]);
    process.kill(launcher, 'SIGKILL');
    const { receipt } = await execution.wait();
    assert.deepEqual([receipt.outcome.kind, receipt.state], ['lost', 'unavailable']);
    assert.ok(await eventually(() => !isAlive(command), 5_000));
  });

  it('is over even if somebody else holds its descriptors', async () => {
    const place = directory();
    const holder = spawn('python3', [
      '-c',
      `import socket, os, time
s = socket.socket(socket.AF_UNIX); s.bind('${place}/socket'); os.chmod('${place}/socket', 0o777); s.listen(); print('ready', flush=True)
held = socket.recv_fds(s.accept()[0], 1, 2); print('held', flush=True); time.sleep(1000)`,
    ]);
    holder.on('error', (error) => assert.fail(`this test needs python3: ${error.message}`));
    try {
      await once(holder.stdout, 'data');
      const give = `import socket; s = socket.socket(socket.AF_UNIX); s.connect('${place}/socket'); socket.send_fds(s, [b'x'], [2, 3])`;
      const { returncode, stderr } = await run(['sh', '-c', 'exec python3 -c "$0"', give], {
        policy,
        backend,
      });
      assert.equal(returncode, 0, stderr);
    } finally {
      holder.kill();
    }
  });

  it('stops the command by SIGTERM, and by SIGKILL if that is ignored', async () => {
    const stopped = async (script: string, gracefulMs: number) => {
      const execution = spawnIsolated(sh(script), { policy, backend, stop: { gracefulMs } });
      await once(execution.protocol, 'data');
      await execution.stop();
      const { returncode, signal } = await execution.wait();
      return returncode ?? signal;
    };
    const heeds = 'trap "exit 42" TERM; echo ready >&3; while :; do sleep 0.01; done';
    const ignores = 'trap "" TERM; echo ready >&3; while :; do sleep 0.01; done';
    assert.equal(await stopped(heeds, 30_000), 42);
    assert.equal(await stopped(ignores, 50), 'SIGKILL');
  });

  it('limits what resource limits can, and refuses the rest by its name', async () => {
    const limits = { fileBytes: 1_024, openFiles: 20 };
    const { stderr, receipt } = await run(sh('ulimit -n; ulimit -f'), { policy, backend, limits });
    assert.equal(stderr, '20\n2\n');
    assert.deepEqual(receipt.limitedBy, { fileBytes: 'rlimit', openFiles: 'rlimit' });
    const missing = await missingFor(['true'], { policy, backend, limits: { tempBytes: 100_000 } });
    assert.deepEqual(missing, [
      'posix: limits.tempBytes: it was given, and the posix backend cannot enforce it',
    ]);
  });

  it('never runs as root', async () => {
    const { stderr, receipt } = await run(sh('id -u; grep CapEff /proc/self/status'), { policy, backend });
    const user = isRoot ? 65_534 : process.geteuid?.();
    assert.match(stderr, new RegExp(`^${user}\nCapEff:\t0+\n$`));
    assert.equal(receipt.isolation.userId, user);
  });

  it('says why a program cannot be executed', async () => {
    const place = directory();
    writeFileSync(join(place, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const failure = await spawnFailureOf([join(place, 'script')], { policy, backend });
    assert.equal(failure.code, 'ENOENT');
  });

  it('executes a program by the name that it was found by', async () => {
    const place = directory();
    execFileSync('ln', [
      '-s',
      execFileSync('sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).trim(),
      join(place, 'shell'),
    ]);
    const { stderr } = await run([join(place, 'shell'), '-c', 'echo $0; cat /proc/$$/comm'], {
      policy,
      backend,
    });
    assert.equal(stderr, `${place}/shell\nshell\n`);
  });
});
