import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { codeRunner, executeFrame, Runner } from './helper.js';

function call(...options: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(codeRunner, options, { encoding: 'utf8' });
}

describe('code-runner: command line', () => {
  it('shows its options on --help', () => {
    const { status, stdout } = call('--help');
    assert.equal(status, 0);
    for (const option of [
      'fd',
      'memory-bytes',
      'stack-bytes',
      'timeout-ms',
      'max-calls',
      'max-frame-bytes',
      'max-result-bytes',
    ]) {
      assert.match(stdout, new RegExp(`--${option} N`));
    }
  });

  it('shows its version on --version', () => {
    assert.match(call('--version').stdout, /^code-runner \d+\.\d+\.\d+\n$/);
  });

  it('refuses an option that it does not know, naming it', () => {
    const { status, stderr } = call('--no-such-thing', '1');
    assert.equal(status, 2);
    assert.match(stderr, /--no-such-thing/);
  });

  it('refuses an option without a value', () => {
    const { status, stderr } = call('--timeout-ms');
    assert.equal(status, 2);
    assert.match(stderr, /--timeout-ms needs a value/);
  });

  for (const value of ['0x10', '-1', '1e3', '', ' 5', '5 ']) {
    it(`refuses the value '${value}', which is not decimal`, () => {
      const { status, stderr } = call('--max-calls', value);
      assert.equal(status, 2);
      assert.match(stderr, /decimal/);
    });
  }

  for (const option of [
    '--fd',
    '--memory-bytes',
    '--max-frame-bytes',
    '--max-result-bytes',
    '--timeout-ms',
  ]) {
    it(`refuses ${option} 18446744073709551615 as out-of-range`, () => {
      const { status, stderr } = call(option, '18446744073709551615');
      assert.equal(status, 2);
      assert.match(stderr, /out-of-range/);
    });
  }

  it('refuses 0 as out-of-range', () => {
    const { status, stderr } = call('--max-calls', '0');
    assert.equal(status, 2);
    assert.match(stderr, /out-of-range/);
  });

  it('refuses a descriptor that is no stream socket', () => {
    const { status, stderr } = call('--fd', '9');
    assert.equal(status, 2);
    assert.match(stderr, /no stream socket/);
  });

  it('takes every option that it shows', async () => {
    const options = [
      '--fd',
      '3',
      '--memory-bytes',
      '33554432',
      '--stack-bytes',
      '100000',
      '--timeout-ms',
      '1000',
    ];
    options.push('--max-calls', '1', '--max-frame-bytes', '5000', '--max-result-bytes', '100');
    assert.equal(
      (await new Runner(options).send(executeFrame({ code: 'return 1' })).ended()).terminal?.result,
      1,
    );
  });

  it('speaks on the descriptor that --fd names', async () => {
    const child = spawn(codeRunner, ['--fd', '4'], {
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe'],
    });
    const socket = child.stdio[4] as Socket;
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(`${JSON.stringify(executeFrame({ code: 'return 1' }))}\n`);
    const [exitCode] = (await once(child, 'close')) as [number];
    assert.equal(exitCode, 0);
    assert.match(received, /"result":1/);
  });

  it('has the ceilings that it shows as its defaults', async () => {
    const { stdout } = call('--help');
    const limits = { maxToolCalls: 1e6, maxResultBytes: 1e9, timeoutMs: 1e9 };
    const { frames } = await new Runner().send(executeFrame({ code: 'return 1', limits })).ended();
    assert.deepEqual(frames[0]?.effectiveLimits, {
      maxToolCalls: 64,
      maxResultBytes: 524_288,
      timeoutMs: 5000,
    });
    for (const [option, value] of [
      ['max-calls', 64],
      ['max-result-bytes', 524_288],
      ['timeout-ms', 5000],
      ['memory-bytes', 67_108_864],
      ['max-frame-bytes', 1_048_576],
      ['stack-bytes', 2_097_152],
      ['fd', 3],
    ]) {
      assert.match(stdout, new RegExp(`--${option} N .*\\(${value}\\)`));
    }
  });

  it('lowers every limit that is asked for to its ceiling, and keeps a smaller one', async () => {
    const options = ['--max-calls', '3', '--timeout-ms', '900', '--max-result-bytes', '50'];
    const limits = { maxToolCalls: 10, maxResultBytes: 20, timeoutMs: 60_000 };
    const { frames } = await new Runner(options).send(executeFrame({ code: 'return 1', limits })).ended();
    assert.deepEqual(frames[0]?.effectiveLimits, { maxToolCalls: 3, maxResultBytes: 20, timeoutMs: 900 });
  });

  for (const value of ['18446744073709551616', '9'.repeat(100)]) {
    it(`refuses ${value.slice(0, 24)} as out-of-range, whatever 64 bits make of it`, () => {
      const { status, stderr } = call('--memory-bytes', value);
      assert.equal(status, 2);
      assert.match(stderr, /--memory-bytes .* is out-of-range/);
    });
  }

  it('takes leading zeros for what they are: decimal', async () => {
    const runner = new Runner(['--max-calls', '0010']).send(executeFrame({ code: 'return 1' }));
    assert.equal((await runner.ended()).frames[0]?.effectiveLimits?.['maxToolCalls'], 10);
  });

  it('refuses what stands beside options', () => {
    const { status, stderr } = call('program.js');
    assert.equal(status, 2);
    assert.match(stderr, /program\.js/);
  });

  it('refuses a descriptor that is a file, before it reads anything', () => {
    const { status, stderr } = spawnSync(codeRunner, ['--fd', '4'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore'],
    });
    assert.equal(status, 2);
    assert.match(stderr, /descriptor 4 is no stream socket/);
  });

  it('exits with 0 whatever the program did, once its terminal frame was sent', async () => {
    for (const code of ['return 1', 'throw 1', 'syntax error here', 'return NaN', 'for (;;);']) {
      const { exitCode, terminal } = await new Runner()
        .send(executeFrame({ code, limits: { timeoutMs: 100 } }))
        .ended();
      assert.deepEqual([exitCode, terminal?.type], [0, 'execution.result']);
    }
  });
});
