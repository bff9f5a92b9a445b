import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants, eventually, statusField } from '../support/processes.js';
import { endOf, run, runByShell, startRun } from './run-support.js';

const GIBIBYTE = 2 ** 30;

function sh(program: string): string[] {
  return ['--', 'sh', '-c', program];
}

function residentKiB(pid: number | undefined): number {
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

describe('wardenpool run --io isolated-duplex', () => {
  it('passes any bytes both ways, and what the command prints to stderr alone', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 11) % 256));
    const end = await run(sh('echo noise; echo noise >&2; cat <&3 >&3; echo more'), bytes);
    assert.ok(end.stdout.equals(bytes));
    assert.equal(end.stderr, 'noise\nnoise\nmore\n');
    assert.equal(end.code, 0);
  });

  it('half-closes at the end of stdin, and passes on what still comes', async () => {
    const end = await run(sh('cat <&3 >/dev/null; sleep 0.2; echo after >&3'), 'x');
    assert.equal(end.stdout.toString(), 'after\n');
  });

  it('still passes stdin on when the command half-closes', async () => {
    const program =
      'import socket, sys; s = socket.socket(fileno=3); s.send(b"bye"); s.shutdown(1); sys.stderr.write(s.recv(9).decode())';
    const child = startRun(['--', 'python3', '-c', program]);
    const ended = endOf(child);
    await sleep(1_000);
    child.stdin.end('late');
    const end = await ended;
    assert.equal(end.stdout.toString(), 'bye');
    assert.equal(end.stderr, 'late');
  });

  it('ends with the command, although stdin is still open', async () => {
    const end = await endOf(startRun(sh('echo x >&3; exit 5')));
    assert.equal(end.code, 5);
    assert.equal(end.stdout.toString(), 'x\n');
  });

  it('gives every byte to a reader that is slow, and that starts when the command is over', async () => {
    const end = await runByShell(
      `$RUN -- sh -c 'head -c 100000 /dev/zero >&3; head -c 50000 /dev/zero' 2>&1 | (sleep 1; wc -c)`,
    );
    assert.equal(end.stdout.toString().trim(), '150000');
  });

  it('stalls the command when nobody reads, in flat memory', async () => {
    const child = startRun(sh('yes >&3'));
    await once(child.stdout, 'readable');
    await sleep(300);
    const before = residentKiB(child.pid);
    await sleep(1_000);
    assert.ok(residentKiB(child.pid) - before < 8 * 1024);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('passes a gibibyte each way in flat memory', async function () {
    this.timeout(180_000);
    const out = startRun(sh(`head -c ${GIBIBYTE} /dev/zero >&3`));
    let received = 0;
    let peak = 0;
    out.stdout.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received < GIBIBYTE / 2) peak = residentKiB(out.pid);
    });
    out.stdin.end();
    await once(out, 'close');
    assert.equal(received, GIBIBYTE);
    assert.ok(peak < 250 * 1024, `${peak} KiB`);
    const end = await runByShell(`head -c ${GIBIBYTE} /dev/zero | $RUN -- sh -c 'wc -c <&3 >&3'`);
    assert.equal(Number(end.stdout.toString()), GIBIBYTE);
  });

  it('fails the command’s next write when the reader of stdout is gone, and is none of its failures', async () => {
    const end = await runByShell(`$RUN -- sh -c 'yes >&3' 2>/dev/null | head -n 1; echo "\${PIPESTATUS[0]}"`);
    // By SIGPIPE, or with what yes makes of a connection that was reset.
    assert.match(end.stdout.toString(), /^y\n(141|1)\n$/);
  });

  it('goes on when the reader of stderr is gone', async () => {
    const end = await runByShell(
      `exec 4>&1; { $RUN -- sh -c 'head -c 1000000 /dev/zero; exit 6'; echo $? >&4; } 2> >(true)`,
    );
    assert.equal(end.stdout.toString(), '6\n');
  });

  it('says with 125 that stdout cannot be written', async () => {
    const end = await runByShell(`$RUN -- sh -c 'echo x >&3' > /dev/full`);
    assert.equal(end.code, 125);
    assert.match(end.stderr, /^wardenpool: stdout cannot be written: ENOSPC/m);
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    it(`runs the stop ladder at ${signal}, and ends as the command does`, async () => {
      const child = startRun([
        '--grace-time',
        '30000',
        ...sh('trap "exit 33" TERM; echo up >&3; while :; do sleep 0.05; done'),
      ]);
      await once(child.stdout, 'data');
      child.kill(signal);
      assert.equal((await endOf(child)).code, 33);
    });

  it('ends with 143 if SIGTERM ends the command', async () => {
    const child = startRun(sh('echo up >&3; exec sleep 600'));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    assert.equal((await endOf(child)).code, 143);
  });

  it('kills at the second signal', async () => {
    const child = startRun([
      '--grace-time',
      '600000',
      ...sh('trap "" TERM; echo up >&3; while :; do sleep 0.05; done'),
    ]);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await sleep(300);
    child.kill('SIGINT');
    assert.equal((await endOf(child)).code, 137);
  });

  it('can be ended when the command is over and nobody reads what it sent', async () => {
    // More than our stdout takes, and less than it and the buffers before it hold together.
    const child = startRun(sh('head -c 350000 /dev/zero >&3; sleep 1'));
    const isSeen = () => descendants(child.pid ?? 0).some((pid) => statusField(pid, 'Name') === 'sleep');
    assert.ok(await eventually(isSeen, 20_000));
    assert.ok(await eventually(() => descendants(child.pid ?? 0).length === 0, 20_000));
    await sleep(500);
    assert.equal(child.exitCode, null);
    child.kill('SIGTERM');
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    assert.equal(signal, 'SIGTERM');
  });

  it('leaves nothing running when it is killed itself', async () => {
    const child = startRun(sh('trap "" TERM; echo up >&3; while :; do sleep 0.05; done'));
    await once(child.stdout, 'data');
    const below = descendants(child.pid ?? 0);
    assert.ok(below.length >= 2);
    child.kill('SIGKILL');
    const isGone = (pid: number) => ['', 'Z'].includes(statusField(pid, 'State').slice(0, 1));
    assert.ok(await eventually(() => below.every(isGone), 5_000));
  });
});
