/** The exit codes and the command line of code-bridge-v1. */
import assert from 'node:assert/strict';
import { executeFrame, section } from '../suite.js';

const NUMBERS = [
  'memory-bytes',
  'stack-bytes',
  'timeout-ms',
  'max-calls',
  'max-frame-bytes',
  'max-result-bytes',
];
const TOO_MUCH = { maxToolCalls: 1e9, maxResultBytes: 1e9, timeoutMs: 1e9 };

const exitCodes = section('exit codes', [], (add) => {
  for (const [name, code] of [
    ['a result', 'return 1'],
    ['an error of the program', 'throw 1'],
    ['a syntax error', ')'],
    ['a result that cannot be sent', 'return 1n'],
  ] as const) {
    add(`0: a terminal frame was sent, whatever it said: ${name}`, async (bench) => {
      const { exitCode, terminal, stdout } = await bench.run(code);
      assert.equal(exitCode, 0);
      assert.notEqual(terminal, undefined);
      assert.equal(stdout, '');
    });
  }

  add('1: the content of the execute frame was refused', async (bench) => {
    const conversation = bench.start().send({ ...executeFrame(), code: '' });
    assert.equal((await conversation.ended()).exitCode, 1);
  });

  add('1: no frame could be sent, since the host is gone', async (bench) => {
    const conversation = bench.execute({ code: 'for (;;);', limits: { timeoutMs: 1000 } });
    await conversation.frame('ready');
    conversation.hangUp();
    assert.equal(await conversation.exited(), 1);
  });

  add('2: the first frame could not be parsed', async (bench) => {
    assert.equal((await bench.start().write('{]\n').ended()).exitCode, 2);
  });

  add('2: the first frame could not be read: EOF instead of it', async (bench) => {
    assert.equal((await bench.start().endInput().ended()).exitCode, 2);
  });

  add('2: the first frame could not be read: EOF in the middle of it', async (bench) => {
    const text = JSON.stringify(executeFrame());
    const { exitCode, frames } = await bench.start().write(text).endInput().ended();
    assert.deepEqual([exitCode, frames.length], [2, 0]);
  });

  add('2: bad command line', async (bench) => {
    assert.equal((await bench.start({ options: ['--no-such-option'] }).ended()).exitCode, 2);
  });

  add('diagnostics go to stderr', async (bench) => {
    for (const options of [['--no-such-option'], ['--max-calls', 'many']]) {
      const { stderr, stdout } = await bench.start({ options }).ended();
      assert.notEqual(stderr, '');
      assert.equal(stdout, '');
    }
  });
});

const commandLine = section('command line', [], (add) => {
  add('--help shows every option, and exits with 0', async (bench) => {
    const { exitCode, stdout } = await bench.start({ options: ['--help'] }).ended();
    assert.equal(exitCode, 0);
    for (const option of ['fd', ...NUMBERS, 'help', 'version']) {
      assert.ok(stdout.includes(`--${option}`), `--help does not show --${option}`);
    }
  });

  add('--version says something, and exits with 0', async (bench) => {
    const { exitCode, stdout } = await bench.start({ options: ['--version'] }).ended();
    assert.equal(exitCode, 0);
    assert.match(stdout, /\d/);
  });

  add('without options: --max-calls 64, --max-result-bytes 524288, --timeout-ms 5000', async (bench) => {
    const { frames } = await bench.run('return 1', { limits: TOO_MUCH, setup: {} });
    const { maxToolCalls, maxResultBytes, timeoutMs } = frames[0]?.effectiveLimits ?? {};
    assert.deepEqual([maxToolCalls, maxResultBytes, timeoutMs], [64, 524_288, 5000]);
  });

  add('without options: --memory-bytes 67108864', async (bench) => {
    const code = `const all = [];
      for (let i = 0; i < MEBIBYTES; i++) all.push(new Uint8Array(1048576).fill(1));
      return all.length`;
    assert.equal(await bench.value(code.replace('MEBIBYTES', '48')), 48);
    assert.equal((await bench.error(code.replace('MEBIBYTES', '80'))).kind, 'memory');
  });

  add('--timeout-ms is a ceiling that ends a program', async (bench) => {
    const setup = { options: ['--timeout-ms', '150'] };
    assert.equal((await bench.error('for (;;);', { setup })).kind, 'timeout');
  });

  add('--max-calls is a ceiling of calls', async (bench) => {
    const setup = { options: ['--max-calls', '2'] };
    const code = 'for (let i = 0; i < 3; i++) await tools.t()';
    const { kind, limit } = await bench.error(code, { setup, tools: { t: () => null } });
    assert.deepEqual([kind, limit], ['limit', 2]);
  });

  add('--max-result-bytes is a ceiling of results', async (bench) => {
    const setup = { options: ['--max-result-bytes', '10'] };
    assert.equal((await bench.error("return 'x'.repeat(9)", { setup })).kind, 'result_limit');
    assert.equal(await bench.value("return 'x'.repeat(8)", { setup }), 'x'.repeat(8));
  });

  add('--memory-bytes is a ceiling of the heap', async (bench) => {
    const setup = { options: ['--memory-bytes', '8388608'] };
    assert.equal((await bench.error('return new Uint8Array(10485760).length', { setup })).kind, 'memory');
  });

  add('--stack-bytes is a ceiling of the stack', async (bench) => {
    const code = 'let depth = 0; const f = () => { depth++; f() }; try { f() } catch {} return depth';
    const small = Number(await bench.value(code, { setup: { options: ['--stack-bytes', '50000'] } }));
    const large = Number(await bench.value(code));
    assert.ok(small > 0 && small < large / 2, `${small} calls deep, ${large} without the option`);
  });

  for (const value of ['0x10', '-1', '+1', '1e3', '1.0', '', ' 5', '5 ', '1_000', '١']) {
    add(`values are decimal: ${JSON.stringify(value)} is refused with exit 2`, async (bench) => {
      const { exitCode, stderr } = await bench.start({ options: ['--max-calls', value] }).ended();
      assert.equal(exitCode, 2);
      assert.match(stderr, /max-calls/);
    });
  }

  for (const option of NUMBERS) {
    add(`values are at least 1: --${option} 0 is refused with exit 2`, async (bench) => {
      assert.equal((await bench.start({ options: [`--${option}`, '0'] }).ended()).exitCode, 2);
    });

    add(`--${option} 1 is accepted on the command line`, async (bench) => {
      // Whether a program can run with it is another question.
      const { exitCode } = await bench.start({ options: [`--${option}`, '1', '--version'] }).ended();
      assert.equal(exitCode, 0);
    });

    for (const value of ['18446744073709551615', '18446744073709551616', '9'.repeat(100)]) {
      add(`--${option} ${value} is refused with exit 2 and the words "out-of-range"`, async (bench) => {
        const { exitCode, stderr } = await bench.start({ options: [`--${option}`, value] }).ended();
        assert.equal(exitCode, 2);
        assert.match(stderr, /out-of-range/);
      });
    }

    add(`--${option} without a value is refused with exit 2`, async (bench) => {
      assert.equal((await bench.start({ options: [`--${option}`] }).ended()).exitCode, 2);
    });
  }

  add('an unknown option is refused with exit 2, naming it', async (bench) => {
    const { exitCode, stderr } = await bench.start({ options: ['--max-cals', '3'] }).ended();
    assert.equal(exitCode, 2);
    assert.match(stderr, /--max-cals/);
  });

  add('a descriptor that is not open is refused', async (bench) => {
    const { exitCode, stderr } = await bench.start({ options: ['--fd', '99'] }).ended();
    assert.ok(exitCode === 1 || exitCode === 2, `the exit code is ${exitCode}`);
    assert.match(stderr, /99/);
  });
});

export const processes = [exitCodes, commandLine];
