import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOnly, spawnIsolated } from 'wardenpool/executor';
import { collect, shell, start } from './collect.js';

const MEBIBYTE = 2 ** 20;
const GIBIBYTE = 2 ** 30;

/** Python, with the socket that is descriptor 3 as `s`. */
function python(program: string): string[] {
  return ['python3', '-c', `import socket, sys, time; s = socket.socket(fileno=3)\n${program}`];
}

describe('the streams of a command', () => {
  it('carries any bytes both ways over descriptor 3', async () => {
    const bytes = Buffer.from(Array.from({ length: 512 * 1024 }, (_, index) => (index * 7) % 256));
    const end = await collect(shell('cat <&3 >&3'), {}, ({ protocol }) => protocol.end(bytes));
    assert.ok(end.protocol.equals(bytes));
    assert.equal(end.receipt.io.bytesIn, bytes.length);
    assert.equal(end.receipt.io.bytesOut, bytes.length);
  });

  it('half-closes towards the command, and still receives what it sends', async () => {
    const end = await collect(shell('cat <&3 >/dev/null; echo after >&3'));
    assert.equal(end.protocol.toString(), 'after\n');
  });

  it('lets the command half-close, and still sends it what is written then', async () => {
    const program = 's.send(b"bye"); s.shutdown(socket.SHUT_WR); sys.stdout.write(s.recv(100).decode())';
    const end = await collect(python(program), {}, async ({ protocol }) => {
      await once(protocol, 'end');
      protocol.end('late');
    });
    assert.equal(end.protocol.toString(), 'bye');
    assert.equal(end.stderr, 'late');
    assert.equal(end.receipt.io.bytesIn, 4);
  });

  it('ends protocol when the command closes descriptor 3, and lets writes wait for its end', async () => {
    const execution = start(shell('exec 3>&-; sleep 0.3; exit 7'));
    execution.protocol.resume();
    await once(execution.protocol, 'end');
    const written = new Promise<void>((resolve) => {
      execution.protocol.write(Buffer.alloc(MEBIBYTE), () => resolve());
    });
    assert.equal((await execution.wait()).returncode, 7);
    await written;
  });

  it('fails the next write of a command whose protocol was destroyed', async () => {
    const execution = start(shell('trap "" PIPE; while echo x >&3; do :; done; exit 9'));
    execution.protocol.once('data', () => execution.protocol.destroy());
    assert.equal((await execution.wait()).returncode, 9);
  });

  it('stalls a command whose descriptor 3 nobody reads, in flat memory', async () => {
    const execution = start(['head', '-c', String(GIBIBYTE), '/dev/zero'], {});
    execution.protocol.pause();
    const writer = start(shell(`head -c ${GIBIBYTE} /dev/zero >&3; echo all >&2`));
    const before = process.memoryUsage().rss;
    await sleep(1_000);
    assert.ok(process.memoryUsage().rss - before < 64 * MEBIBYTE);
    await writer.stop();
    const { receipt, signal } = await writer.wait();
    assert.equal(signal, 'SIGTERM');
    assert.ok(receipt.io.bytesOut < MEBIBYTE, String(receipt.io.bytesOut));
    await execution.stop();
  });

  it('stalls whoever writes to a command that does not read', async () => {
    const execution = start(['sleep', '10']);
    const chunk = Buffer.alloc(65_536);
    const isTaken = () =>
      new Promise<boolean>((resolve) => execution.protocol.write(chunk, () => resolve(true)));
    let written = 0;
    while (await Promise.race([isTaken(), sleep(500, false)])) written += chunk.length;
    assert.ok(written < MEBIBYTE, String(written));
    await execution.stop();
  });

  it('passes a gibibyte on in flat memory', async function () {
    this.timeout(120_000);
    const execution = start(shell(`head -c ${GIBIBYTE} /dev/zero >&3`));
    let received = 0;
    let peak = 0;
    execution.protocol.on('data', (chunk: Buffer) => {
      received += chunk.length;
      peak = Math.max(peak, process.memoryUsage.rss());
    });
    const before = process.memoryUsage().rss;
    await execution.wait();
    assert.equal(received, GIBIBYTE);
    assert.ok(peak - before < 200 * MEBIBYTE, `${(peak - before) / MEBIBYTE} MiB`);
  });

  it('cuts stderr at its limit, counts it, and never stalls for it', async function () {
    this.timeout(120_000);
    const end = await collect(shell(`head -c ${GIBIBYTE} /dev/zero`), { maxStderrBytes: 1000 });
    assert.equal(end.stderr.length, 1000);
    assert.equal(end.receipt.io.stderrBytes, GIBIBYTE);
    assert.equal(end.receipt.io.stderrTruncated, true);
  });

  it('has both stdout and stderr of the command in stderr, whether somebody reads it or not', async () => {
    const end = await collect(shell('echo one; echo two >&2'));
    assert.equal(end.stderr, 'one\ntwo\n');
    const execution = start(shell('head -c 1000000 /dev/zero'));
    execution.protocol.resume();
    assert.equal((await execution.wait()).receipt.io.stderrBytes, 1_000_000);
  });

  it('stalls the command instead of cutting with maxStderrBytes: Infinity', async () => {
    const execution = start(shell('head -c 10000000 /dev/zero; exit 4'), {
      maxStderrBytes: Number.POSITIVE_INFINITY,
    });
    execution.protocol.resume();
    assert.equal(await Promise.race([execution.wait(), sleep(300, 'stalled')]), 'stalled');
    let received = 0;
    execution.stderr.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    const { returncode, receipt } = await execution.wait();
    assert.equal(returncode, 4);
    assert.equal(receipt.io.stderrBytes, 10_000_000);
    assert.equal(receipt.io.stderrTruncated, false);
    assert.equal(received, 10_000_000);
  });

  it('has an empty stdin', async () => {
    assert.equal((await collect(shell('wc -c'))).stderr.trim(), '0');
  });

  it('refuses a limit of stderr that is none', () => {
    for (const maxStderrBytes of [-1, 1.5, Number.NaN, 2 ** 40])
      assert.throws(() => spawnIsolated(['true'], { policy: readOnly(), maxStderrBytes }), /maxStderrBytes/);
  });
});
