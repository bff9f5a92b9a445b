import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Ended, MAIN, wardenpool } from './command.js';

/** ESC and BEL of C0, DEL, and CSI of C1. */
const CONTROLS = "'\\x1b[31m\\x07\\x7f\\x9b1m\\tend'";

const UNPRINTABLE = /[^\P{Cc}\n\t]/u;

function assertPrintable({ stdout, stderr }: Ended): void {
  assert.doesNotMatch(stdout, UNPRINTABLE);
  assert.doesNotMatch(stderr, UNPRINTABLE);
}

describe('wardenpool exec: what it prints', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wardenpool-exec-output-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function file(name: string, content: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  }

  it('makes control characters of logs visible', async () => {
    const ended = await wardenpool(['exec'], `console.log(${CONTROLS}); console.error('a\\nb')`);
    assert.equal(ended.stderr, '\\x1b[31m\\x07\\x7f\\x9b1m\tend\na\nb\n');
  });

  it('makes control characters of errors visible: name, message and source', async () => {
    const program = `const e = new Error(${CONTROLS}); e.name = 'N\\x1b'; "\x1b\x9b"; throw e;`;
    const ended = await wardenpool(['exec'], program);
    assert.equal(ended.code, 1);
    assertPrintable(ended);
    assert.match(ended.stderr, /^javascript N\\x1b: \\x1b\[31m\\x07\\x7f\\x9b1m\tend\n/);
  });

  it('makes characters visible that are not seen: of direction, of format, separators', async () => {
    const text = "'a\\u202eb\\u2066\\u200b\\ufeff\\u2028\\u{e0041}\\xad \\u200d\\u{1f600}'";
    const said = 'a\\u{202e}b\\u{2066}\\u{200b}\\u{feff}\\u{2028}\\u{e0041}\\xad \u200d\u{1f600}';
    const failed = await wardenpool(['exec'], `console.log(${text}); throw new Error(${text});`);
    const [logged, thrown] = failed.stderr.split('\n');
    assert.deepEqual([logged, thrown], [said, `javascript Error: ${said}`]);
    const returned = await wardenpool(['exec'], `return ${text}`);
    assert.match(returned.stdout, /^"a\\u202eb\\u2066\\u200b\\ufeff\\u2028\\udb40\\udc41\\u00ad /);
    assert.equal(
      JSON.parse(returned.stdout),
      'a\u202eb\u2066\u200b\ufeff\u2028\u{e0041}\xad \u200d\u{1f600}',
    );
  });

  it('has no line of an error that looks like one of its own', async () => {
    const forged = "'x\\nwardenpool: forged line\\r\\n\\u2028wardenpool: another'";
    const program = `const e = new Error(${forged}); e.name = e.code = ${forged}; throw e;`;
    const ended = await wardenpool(['exec'], program);
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /^javascript x\\nwardenpool: forged/);
    assert.match(ended.stderr, /\n {2}wardenpool: forged line/);
    assert.doesNotMatch(ended.stderr, /^wardenpool: /m);
    const tools = await file('quoting.mjs', 'export const t = ({ text }) => { throw new Error(text) }');
    const call = `await tools.t({ text: ${forged} }).catch(() => 1)`;
    const called = await wardenpool(['exec', '--tools', tools], call);
    assert.match(called.stderr, /^tool "t", call 1: Error: x\n {2}wardenpool: forged line/);
    assert.doesNotMatch(called.stderr, /^wardenpool: /m);
  });

  it('points at the place, also after control characters and tabs', async () => {
    const ended = await wardenpool(['exec'], '\t"\x1b"; null.x;');
    const [, source, caret] = ended.stderr.split('\n');
    assert.equal(source, '  1 | \t"\\x1b"; null.x;');
    assert.equal(caret, '      \t        ^');
  });

  it('escapes control characters in the JSON of results, which stays the same value', async () => {
    for (const options of [[], ['--json']]) {
      const ended = await wardenpool(['exec', ...options], `return ${CONTROLS}`);
      assertPrintable(ended);
      assert.match(ended.stdout, /\\u007f\\u009b1m/);
      const printed = JSON.parse(ended.stdout);
      assert.equal(options.length === 0 ? printed : printed.value, '\x1b[31m\x07\x7f\x9b1m\tend');
    }
  });

  it('shows the error of a tool to its author, and not to the program', async () => {
    const tools = await file(
      'failing.mjs',
      "export function lookUp({ id }) { throw new TypeError('no row ' + id, { cause: 1 }); }",
    );
    const program = `try { await tools.lookUp({ id: ${CONTROLS} }) } catch ({ message }) { return message }`;
    for (const options of [[], ['--json']]) {
      const ended = await wardenpool(['exec', '--tools', tools, ...options], program);
      assert.equal(ended.code, 0);
      assertPrintable({ ...ended, stdout: '' });
      assert.match(ended.stderr, /^tool "lookUp", call 1: TypeError: no row \\x1b.*end\n +at .*failing\.mjs/);
      assert.ok(ended.stderr.split('\n').length <= 7);
      const printed = JSON.parse(ended.stdout);
      assert.equal(options.length === 0 ? printed : printed.value, 'The tool failed.');
    }
  });

  it('shows why what a tool returned cannot be sent', async () => {
    const tools = await file('unsendable.mjs', 'export const t = () => ({ n: NaN })');
    const ended = await wardenpool(['exec', '--tools', tools], 'await tools.t().catch(() => 1)');
    assert.equal(ended.code, 0);
    assert.match(ended.stderr, /^tool "t", call 1: NotJson: \$\.n is NaN/);
  });

  it('ends quietly, with the exit code of the program, when nobody reads stdout or stderr', async () => {
    for (const [program, code] of [
      ["console.log('x'.repeat(1000)); return 'x'.repeat(200_000)", 0],
      ["console.log('x'.repeat(1000)); throw new Error('x')", 1],
    ] as const) {
      for (const closed of ['stdout', 'stderr'] as const) {
        const child = spawn(process.execPath, [MAIN, 'exec'], { stdio: 'pipe' });
        const exited = once(child, 'exit');
        child[closed].destroy();
        child.stdin.end(program);
        const other = await text(closed === 'stdout' ? child.stderr : child.stdout);
        assert.deepEqual(await exited, [code, null], `${closed} closed`);
        assert.doesNotMatch(other, /EPIPE/);
      }
    }
  });

  it('exits with 125, and says so, when the result cannot be written', async () => {
    const full = await open('/dev/full', 'w');
    try {
      const child = spawn(process.execPath, [MAIN, 'exec'], { stdio: ['pipe', full.fd, 'pipe'] });
      const exited = once(child, 'exit');
      child.stdin?.end('return 1');
      assert.ok(child.stderr);
      assert.match(await text(child.stderr), /^wardenpool: stdout cannot be written: ENOSPC.*\n$/);
      assert.deepEqual(await exited, [125, null]);
    } finally {
      await full.close();
    }
  });
});
