import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
});
