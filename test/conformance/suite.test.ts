/** The suites themselves: what keeps to the contract passes, and what breaks a sentence of it fails the case of it. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import PQueue from 'p-queue';
import type { Host } from './host/host.js';
import { hostCases } from './host/suite.js';
import { type Case, type Outcome, titleOf } from './report/cases.js';
import { type ScheduleOptions, schedule } from './report/schedule.js';
import { runnerCases } from './runner/all-cases.js';
import { grantedFeatures } from './runner/probe.js';
import { parseFrame } from './wire/frames.js';
import { parseStrictJson } from './wire/strict-json.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const codeRunner = process.env['WARDENPOOL_CODE_RUNNER'] ?? path('../../build/Release/code-runner');
const relay = (mutation: string) => ({
  command: process.execPath,
  arguments: [path('./runners/relay.mjs'), mutation, codeRunner],
});

async function outcomesOf(
  cases: Case[],
  titles: string[],
  more: Partial<ScheduleOptions> = {},
): Promise<Outcome[]> {
  const chosen = cases.filter((each) => titles.includes(titleOf(each)));
  assert.equal(chosen.length, titles.length, `not all of these are cases: ${titles.join(', ')}`);
  return Promise.all(schedule(chosen, { concurrency: 4, ...more }));
}

/** Broken runners at a time. */
const LANES = 4;
const ANY = 'transport: the child has the socket as descriptor 3';
/** A broken runner, the case that must notice, and how it must say so. */
const broken: [string, string, RegExp][] = [
  ['two-terminal-frames', ANY, /follows the terminal frame/],
  ['log-after-terminal', ANY, /follows the terminal frame/],
  ['lost-terminal-frame', ANY, /no terminal frame was sent/],
  ['partial-frame', ANY, /part of a frame/],
  ['no-ready', ANY, /before ready/],
  ['ready-twice', ANY, /second ready/],
  ['another-execution-id', ANY, /another execution/],
  ['larger-limits', ANY, /effectiveLimits\.timeoutMs/],
  ['unasked-feature', ANY, /not asked for/],
  ['duplicate-key', ANY, /"ok" twice/],
  ['nul-byte', ANY, /NUL/],
  ['another-version', ANY, /version/],
  ['no-metrics', ANY, /metrics is missing/],
  ['result-left-out', 'frames: execution.result: carries any JSON value: null', /no result/],
  ['ids-from-two', 'frames: tool.call and tool.result: ids are integers from 1 upward', /id is 2/],
  ['one-kind-for-all', 'frames: cancel: ends the run with kind cancelled', /javascript/],
  [
    'undescribed-quota',
    'errors: kinds: limit: code, limit and attempted, and the call over the limit is never sent: 1',
    /attempted is missing/,
  ],
  [
    'lines-of-unicode',
    'transport: U+2028 is legal inside a JSON string: frames are split at 0x0A alone',
    /exit code/,
  ],
  ['one-exit-code', 'exit codes: 1: the content of the execute frame was refused', /0 !== 1/],
  [
    'exit-code-of-the-program',
    'exit codes: 0: a terminal frame was sent, whatever it said: a result',
    /is not 0/,
  ],
  [
    'deaf-to-signals',
    'stopping: SIGTERM is honoured while it waits for a tool; the terminal frame follows',
    /not over/,
  ],
];

describe('the conformance suite for runners', () => {
  it('finds nothing wrong with a good runner behind a relay', async () => {
    const titles = [...new Set(broken.map(([, title]) => title))];
    const outcomes = await outcomesOf(runnerCases(relay('none')), titles);
    assert.deepEqual(
      outcomes.map(({ status, message }) => message ?? status),
      titles.map(() => 'passed'),
    );
  });

  // Each waits for a Node to start: the next ones start meanwhile.
  const lanes = new PQueue({ concurrency: LANES, autoStart: false });
  for (const [mutation, title, expected] of broken) {
    // Nothing is lost by not waiting long for a runner that does not hear.
    const more = mutation === 'deaf-to-signals' ? { caseTimeoutMs: 3000 } : {};
    const outcomes = lanes.add(() => outcomesOf(runnerCases(relay(mutation)), [title], more));
    outcomes.catch(() => {}); // the test says so
    it(`fails a runner with the defect ${mutation}`, async () => {
      lanes.start();
      const [outcome] = await outcomes;
      assert.equal(outcome?.status, 'failed');
      assert.match(outcome.message ?? '', expected);
    });
  }

  it('passes a runner of the bare base, with the extensions not granted', async () => {
    const subject = relay('base-only');
    const granted = await grantedFeatures(subject);
    assert.deepEqual([...granted], []);
    const cases = runnerCases(subject);
    const extended = cases.filter(({ needs }) => needs.length > 0);
    const base = cases.filter(({ section, needs }) => section.startsWith('extensions') && needs.length === 0);
    const of = (some: Case[]) => outcomesOf(cases, some.map(titleOf), { granted });
    const failed = (await of(base)).filter(({ status }) => status !== 'passed');
    assert.deepEqual(failed, []);
    assert.ok((await of(extended)).every(({ status }) => status === 'not granted'));
  });

  it('has no two cases of the same title', () => {
    const titles = [...runnerCases(relay('none')), ...hostCases(gullible)].map(titleOf);
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });
});

/** A host that believes everything: the result of the last line that is JSON, if there is one. */
const gullible: Host = async (runner, program) => {
  const child = spawn(runner, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const socket = child.stdio[3] as Socket;
  const limits = { timeoutMs: 5000, maxToolCalls: 64, maxResultBytes: 524_288 };
  const tools = [{ name: 'echo' }, { name: 'fail' }];
  const frame = {
    version: 'code-bridge-v1',
    type: 'execute',
    executionId: '1',
    code: program,
    tools,
    limits,
  };
  let text = '';
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(`${JSON.stringify(frame)}\n`.repeat(program === 'twice' ? 2 : 1));
  await once(child, 'close');
  const value = /"result":(.*?),"metrics"/.exec(text)?.[1] ?? 'null';
  return { stdout: `{"ok":true,"value":${value}}\n`, diagnostics: '' };
};

describe('the conformance suite for hosts', () => {
  it('passes what a host that believes everything does right', async () => {
    const [outcome] = await outcomesOf(hostCases(gullible), ['host: results: a result of any JSON value: 1']);
    assert.equal(outcome?.message ?? outcome?.status, 'passed');
  });

  for (const title of [
    'host: transport: no JSON, in the place of ready',
    'host: transport: duplicate keys at the top',
    'host: members of ready: another executionId',
    'host: members of ready: effectiveLimits.timeoutMs larger than what was asked for',
    'host: members of execution.result: no ok',
    'host: order of frames: no ready at all before a result',
    'host: order of frames: two terminal frames in one write',
    'host: ids and quotas: two outstanding calls without parallel-tools',
    'host: a runner that ends: without a terminal frame, with exit code 0',
    'host: a runner that ends: before the newline of its terminal frame: a partial write is no frame',
  ]) {
    it(`fails a host that believes everything: ${title}`, async () => {
      const [outcome] = await outcomesOf(hostCases(gullible), [title]);
      assert.equal(outcome?.status, 'failed');
      assert.match(outcome.message ?? '', /the host says/);
    });
  }

  it('fails a host that sends what it must not', async () => {
    const twice: Host = (runner, _program, signals) => gullible(runner, 'twice', signals);
    const [outcome] = await outcomesOf(hostCases(twice), ['host: results: a result of any JSON value: 1']);
    assert.match(outcome?.message ?? '', /execute is not the first frame|not the text from standard input/);
  });
});

describe('the programs of the conformance suites', () => {
  const run = (suite: string, ...words: string[]) =>
    spawnSync(
      process.execPath,
      ['--import', './scripts/register-ts.mjs', `test/conformance/${suite}/main.ts`, ...words],
      { cwd: path('../../'), encoding: 'utf8', timeout: 50_000 },
    );

  it('report to people, and exit with 0 if nothing failed', () => {
    const { status, stdout } = run('runner', codeRunner, '--grep', 'frames: cancel: ');
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^frames: cancel\n {2}ok {11}ends the run[\s\S]*\n3 passed, 0 failed, 0 not granted\n$/,
    );
  });

  it('report to machines, and exit with 1 if anything failed', () => {
    const { status, stdout } = run(
      'runner',
      '/bin/true',
      '--grep',
      'frames: cancel: ',
      '--json',
      '--repeat',
      '2',
    );
    assert.equal(status, 1);
    const { passed, failed, cases } = JSON.parse(stdout) as {
      passed: number;
      failed: number;
      cases: Outcome[];
    };
    assert.deepEqual([passed, failed, cases.length], [0, 3, 3]);
  });

  it('exit with 2 if there is nothing to test', () => {
    const { status, stderr } = run('host');
    assert.equal(status, 2);
    assert.match(stderr, /name a command[\s\S]*Usage:/);
  });

  it('exit with 2 if the command cannot be started, and signal nobody', () => {
    const { status, signal, stdout, stderr } = run('runner', './no-such-program');
    assert.deepEqual({ status, signal, stdout }, { status: 2, signal: null, stdout: '' });
    assert.match(stderr, /'\.\/no-such-program' cannot be started: .*ENOENT.*\nUsage:/);
  });
});

describe('the strict reader of the conformance suites', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":{"b":1,"\\u0062":1}}',
    '[1,]',
    '01',
    '1.',
    '.5',
    '+1',
    '"\t"',
    '"\\x"',
    '',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseStrictJson(text), SyntaxError);
    });
  }

  for (const text of [
    '[]',
    ' {"a" : [ 1e5 , -0.5, "\\u0000\\"\\\\" ] }\r',
    '"\\ud800"',
    'null',
    '{"":{"":0}}',
  ]) {
    it(`reads ${JSON.stringify(text)} as JSON.parse does`, () => {
      assert.deepEqual(parseStrictJson(text), JSON.parse(text));
    });
  }

  it('refuses frames that are no UTF-8, no object, too long, too deep, or have a NUL byte', () => {
    const deep = `{"a":${'['.repeat(512)}${']'.repeat(512)}}`;
    for (const bytes of [Buffer.of(0x22, 0xff, 0x22), '[]', '{"a":"long"}', deep, '{}\0'].map((each) =>
      Buffer.from(each),
    )) {
      assert.throws(() => parseFrame(bytes, bytes.includes('long') ? 11 : 10_000));
    }
  });
});
