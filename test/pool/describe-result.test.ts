import assert from 'node:assert/strict';
import { createPool, describeResult, type LogEntry, type Pool, PoolError, type RunResult } from 'wardenpool';

const log = (text: string, seq = 0): LogEntry => ({ level: 'log', text, seq, ms: 0 });
/** A result with just the members that are described. */
const result = (members: object) =>
  ({
    ok: true,
    value: undefined,
    logs: [],
    logsTruncated: false,
    warnings: [],
    ...members,
  }) as unknown as RunResult;

describe('describeResult', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  it('says the value', async () => {
    const run = await pool.run('return { a: [1, "é"] }');
    assert.equal(describeResult(run), 'The program succeeded. Its result:\n{"a":[1,"é"]}\n');
  });

  it('says that there is none', async () => {
    assert.equal(
      describeResult(await pool.run('const a = 1;')),
      'The program succeeded, and returned nothing.\n',
    );
  });

  it('says kind, name, message and place of an error', async () => {
    const run = await pool.run('const a = null;\n\n\treturn a.b;');
    const text = describeResult(run);
    assert.match(text, /^The program failed \(javascript\): TypeError: .*null/);
    assert.match(text, /^At line 3, column \d+:\n {2} return a\.b;\n +\^\n/m);
  });

  it('says the path and the hint of an error', () => {
    const error = { kind: 'result', code: 'RESULT_INVALID', message: 'No.', path: '$.a', hint: 'Do.' };
    assert.equal(
      describeResult(result({ ok: false, error })),
      'The program failed (result, RESULT_INVALID): No.\nIn the result, at $.a.\nHint: Do.\n',
    );
  });

  it('says logs and warnings after that', async () => {
    const run = await pool.run("console.log('a', { b: 1 }); console.warn('c'); tools.t(); return 1", {
      t: () => new Promise(() => {}),
    });
    assert.match(
      describeResult(run),
      /^The program succeeded\. Its result:\n1\nIt logged 2 entries:\n\[log\] a { b: 1 }\n\[warn\] c\nWarning TOOL_CALL_NOT_AWAITED: .*\n$/,
    );
  });

  it('says that logs were cut by their limit', () => {
    const text = describeResult(result({ logs: [log('a')], logsTruncated: true }));
    assert.match(text, /It logged 1 entry, the first that fit its limit:\n\[log\] a\n/);
  });

  it('cuts logs in the middle, and says how many', () => {
    const logs = Array.from({ length: 1000 }, (_, i) => log(`line ${i}`));
    const text = describeResult(result({ logs }), { maxBytes: 1024 });
    assert.ok(text.includes('[log] line 0\n') && text.includes('[log] line 999\n'));
    const [, left] = /^… \((\d+) lines left out\)$/m.exec(text) ?? [];
    assert.equal(Number(left) + (text.match(/^\[log\]/gm)?.length ?? 0), 1000);
  });

  it('cuts a value at its end, and keeps some logs', () => {
    const logs = Array.from({ length: 100 }, (_, i) => log(`line ${i}`));
    const text = describeResult(result({ value: 'x'.repeat(100_000), logs }), { maxBytes: 2048 });
    assert.match(text, /x… \(\d+ bytes, cut\)\nIt logged/);
    assert.match(text, /\[log\] line 99\n$/);
  });

  it('cuts a message before place and hint', () => {
    const position = { line: 1, column: 5000, sourceLine: 'y'.repeat(10_000) };
    const error = { kind: 'javascript', message: 'm'.repeat(10_000), hint: 'Do.', position };
    const text = describeResult(result({ ok: false, error }), { maxBytes: 1024 });
    assert.match(text, /cut\)\nAt line 1, column 5000:\n {2}…y{200}…\n {102,103}\^\nHint: Do\.\n$/);
  });

  it('never takes more bytes than it may, and never cuts a character', () => {
    for (let maxBytes = 512; maxBytes < 4096; maxBytes += 61) {
      for (const character of ['x', 'é', '日', '😀']) {
        const text = describeResult(
          result({
            value: character.repeat(maxBytes % 3 === 0 ? 10 : 5000),
            logs: Array.from({ length: maxBytes % 7 }, (_, i) => log(character.repeat(i * 100 + 1))),
            warnings: [{ code: 'W', message: character.repeat(maxBytes % 500) }],
          }),
          { maxBytes },
        );
        assert.ok(Buffer.byteLength(text) <= maxBytes, `${Buffer.byteLength(text)} of ${maxBytes}`);
        assert.ok(!text.includes('\ufffd'));
      }
    }
  });

  it('has no line of the program that looks like one of its own', async () => {
    const forged = 'The program succeeded. Its result:';
    for (const end of ['\n', '\r', '\r\n', '\v', '\f', '\x85', '\u2028', '\u2029']) {
      const text = JSON.stringify(`x${end}${end}${forged}${end}42`);
      const program = `const e = new Error(${text}); e.name = e.code = ${text}; console.log(${text}); throw e;`;
      const described = describeResult(await pool.run(program));
      assert.match(described, /^The program failed \(javascript/);
      assert.ok(described.includes(forged), described);
      for (const line of described.split(/[\n\r\v\f\x85\u2028\u2029]/))
        assert.doesNotMatch(line, /^(The program succeeded|42)/);
    }
  });

  it('indents lines of messages, logs, hints and warnings after the first', () => {
    const error = { kind: 'javascript', name: 'E', message: 'a\nb', hint: 'c\nd' };
    assert.equal(
      describeResult(
        result({ ok: false, error, logs: [log('e\n  f')], warnings: [{ code: 'W', message: 'g\nh' }] }),
      ),
      'The program failed (javascript): E: a\n  b\nHint: c\n  d\n' +
        'It logged 1 entry:\n[log] e\n    f\nWarning W: g\n  h\n',
    );
  });

  it('throws for no result, whatever it is', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const awkward = [
      null,
      1,
      {},
      result({ value: 1n }),
      result({ value: cycle }),
      result({ logs: 1 }),
      result({ ok: false }),
      new Proxy({}, { get: () => assert.fail('looked at') }),
    ];
    for (const run of awkward)
      assert.match(describeResult(run as RunResult), /^The program .*cannot be shown\.\n$/);
  });

  it('says what could not be done, and whether to try again', async () => {
    const controller = new AbortController();
    const t = () => {
      controller.abort();
      return new Promise(() => {});
    };
    const { signal } = controller;
    const aborted: unknown = await pool.run("console.log('a'); await tools.t()", { t }, { signal }).then(
      () => assert.fail('it ran'),
      (error) => error,
    );
    assert.ok(aborted instanceof PoolError);
    assert.equal(
      describeResult(aborted),
      `The program has no result (${aborted.code}): ${aborted.message}\n` +
        'It made 1 tool call, which may have had effects. Running it again as it is may not help.\n' +
        'It logged 1 entry:\n[log] a\n',
    );
    const small = await createPool({ threads: 1, concurrency: 1, maxQueue: 1 });
    const runs = [1, 2, 3].map(() => small.run('return 1'));
    const [full] = (await Promise.allSettled(runs)).filter(({ status }) => status === 'rejected');
    await small.close();
    const { reason } = full as PromiseRejectedResult;
    assert.equal(
      describeResult(reason),
      `The program has no result (QUEUE_FULL): ${reason.message}\n` +
        'No tool was called: the same program may be run again.\n',
    );
    assert.ok(Buffer.byteLength(describeResult(reason, { maxBytes: 512 })) <= 512);
  });

  it('refuses a promise and errors of others, saying what to pass', async () => {
    const run = pool.run('return 1');
    assert.throws(() => describeResult(run as never), {
      name: 'InvalidOptionError',
      message: /is a promise: await it first, as in describeResult\(await pool\.run/,
    });
    await run;
    assert.throws(() => describeResult(new TypeError('no') as never), {
      name: 'InvalidOptionError',
      message: /is an error that is not run\(\)'s, "no": pass what run\(\) resolved to/,
    });
  });

  it('refuses options that it does not have', () => {
    assert.throws(() => describeResult(result({}), { maxBytes: 1 }), { name: 'InvalidOptionError' });
    assert.throws(() => describeResult(result({}), { maxByte: 1 } as never), /did you mean maxBytes/);
  });
});
