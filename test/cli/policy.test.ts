import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilePolicy, readOnly } from 'wardenpool/executor';
import { type Ended, wardenpool } from './command.js';

const POLICY = {
  formatVersion: 3,
  filesystem: {
    default: 'deny',
    rules: [
      { access: 'read', path: { special: 'minimal-runtime' } },
      { access: 'read', path: { root: 'workspace' } },
      { access: 'write', path: { root: 'workspace', relative: './out/' } },
      { access: 'deny', path: { root: 'workspace', relative: '.git' } },
      { access: 'write', path: { root: 'temp' } },
    ],
  },
  network: { mode: 'none' },
  root: { mode: 'read-only' },
  process: { treeConfinement: 'required' },
};
const NO_RULES = { ...POLICY, filesystem: { default: 'deny', rules: [] } };
const NO_RULES_HEX = '4d4d495200030000000000000101010000000000';
const NO_RULES_DIGEST = '7bdfac8d09671969cc771cd038b342ac59d09f5fdafc55d447d7e1d2d71888ae';

describe('wardenpool policy', () => {
  let directory: string;
  let file: string;
  let empty: string;
  before(() => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'wardenpool-policy-')));
    mkdirSync(join(directory, 'ws/out'), { recursive: true });
    symlinkSync('out', join(directory, 'ws/link'));
    file = join(directory, 'policy.json');
    writeFileSync(file, JSON.stringify(POLICY));
    empty = join(directory, 'empty.json');
    writeFileSync(empty, JSON.stringify(NO_RULES));
  });
  after(() => rmSync(directory, { recursive: true }));

  const policy = (...args: string[]): Promise<Ended> => wardenpool(['policy', ...args]);
  const failure = (ended: Ended): string => {
    assert.equal(ended.code, 125);
    assert.equal(ended.stdout, '');
    return ended.stderr.replaceAll(directory, '');
  };

  it('compiles to hexadecimal digits, to bytes, and to a file', async () => {
    assert.deepEqual(await policy('compile', '--hex', empty), {
      code: 0,
      stdout: `${NO_RULES_HEX}\n`,
      stderr: '',
    });
    assert.equal((await policy('compile', empty)).stdout, Buffer.from(NO_RULES_HEX, 'hex').toString());
    const output = join(directory, 'empty.mir');
    assert.deepEqual(await policy('compile', empty, '--output', output), { code: 0, stdout: '', stderr: '' });
    assert.equal(readFileSync(output, 'hex'), NO_RULES_HEX);
  });

  it('prints the digest of JSON and of MIR, from a file or stdin', async () => {
    const expected = { code: 0, stdout: `${NO_RULES_DIGEST}\n`, stderr: '' };
    const mir = join(directory, 'hash.mir');
    writeFileSync(mir, Buffer.from(NO_RULES_HEX, 'hex'));
    assert.deepEqual(await policy('hash', empty), expected);
    assert.deepEqual(await policy('hash', mir), expected);
    assert.deepEqual(await wardenpool(['policy', 'hash', '-'], JSON.stringify(NO_RULES)), expected);
  });

  it('shows a policy in canonical form', async () => {
    const { stdout, code } = await policy('inspect', file);
    const shown = JSON.parse(stdout);
    assert.equal(code, 0);
    assert.deepEqual(
      shown.filesystem.rules.map(({ root, path }: { root: string; path: string }) => `${root}:${path}`),
      ['minimal-runtime:', 'workspace:', 'workspace:.git', 'workspace:out', 'temp:'],
    );
    assert.equal(`${shown.identity.decisionDigest}\n`, (await policy('hash', file)).stdout);
  });

  it('evaluates paths on this machine, a line for each', async () => {
    const paths = ['.', 'out/x', '.git/config', 'link/x', '/home/none', '/temp-here/x'];
    const places = ['--workspace', join(directory, 'ws'), '--temp', '/temp-here'];
    const ended = await policy('evaluate', file, ...paths, ...places);
    assert.deepEqual(ended, {
      code: 0,
      stderr: '',
      stdout: [
        'read        read-rule        .',
        'read-write  write-rule       out/x',
        'none        deny-rule        .git/config',
        `read-write  write-rule       link/x -> ${join(directory, 'ws/out/x')}`,
        'none        default-deny     /home/none',
        'read-write  write-rule       /temp-here/x',
        '',
      ].join('\n'),
    });
  });

  it('evaluates as JSON', async () => {
    const { stdout } = await policy('evaluate', '--json', file, 'link', '--workspace', join(directory, 'ws'));
    assert.deepEqual(JSON.parse(stdout), {
      policyDigest: (await policy('hash', file)).stdout.trim(),
      paths: [
        { path: 'link', realPath: join(directory, 'ws/out'), permission: 'read-write', reason: 'write-rule' },
      ],
    });
  });

  it('keeps each answer on its line, whatever a path is called', async () => {
    const { stdout } = await policy('evaluate', empty, 'a\nb\u001b', '--workspace', directory);
    assert.equal(stdout, 'none        default-deny     a\\nb\\x1b\n');
  });

  it('writes MIR to stdout by the name -, too', async () => {
    const { stdout } = await wardenpool(
      ['policy', 'compile', '-', '--hex', '--output', '-'],
      JSON.stringify(readOnly()),
    );
    assert.equal(stdout, `${compilePolicy(readOnly()).bytes.toString('hex')}\n`);
  });

  it('takes no empty path for the workspace', async () => {
    const { code, stderr } = await wardenpool(
      ['policy', 'evaluate', '-', 'a', ''],
      JSON.stringify(readOnly()),
    );
    assert.deepEqual(
      [code, stderr],
      [125, 'wardenpool: a path is empty: write . for the workspace itself\n'],
    );
  });

  it('exits with 125, and one line, where there is no answer', async () => {
    assert.match(
      failure(await policy('hash', join(directory, 'none.json'))),
      /^wardenpool: the policy \/none\.json cannot be read: ENOENT: [^\n]*\n$/,
    );
    const bad = join(directory, 'bad.json');
    writeFileSync(bad, JSON.stringify({ ...POLICY, rot: { mode: 'read-only' } }));
    assert.equal(
      failure(await policy('inspect', bad)),
      'wardenpool: the policy /bad.json: rot does not exist: did you mean root?\n',
    );
    const cut = join(directory, 'cut.mir');
    writeFileSync(cut, 'MMIR');
    assert.equal(
      failure(await policy('hash', cut)),
      'wardenpool: the policy /cut.mir: byte 4: the MIR ends here, where 2 bytes must follow\n',
    );
    assert.equal(
      failure(await policy('hash', '/dev/zero')),
      'wardenpool: the policy /dev/zero has more than 1048576 bytes, which no policy has\n',
    );
    assert.match(
      failure(await policy('compile', empty, '--output', join(directory, 'none/x.mir'))),
      /^wardenpool: the MIR cannot be written to \/none\/x\.mir: ENOENT: [^\n]*\n$/,
    );
    assert.equal(
      failure(await policy('evaluate', file, 'x', '--workspace', join(directory, 'none'))),
      'wardenpool: the policy /policy.json: the rule read tree workspace: the workspace /none does not exist; create it\n',
    );
  });

  it('says how it is used', async () => {
    for (const command of ['compile', 'hash', 'inspect', 'evaluate']) {
      const help = await policy(command, '--help');
      assert.equal(help.code, 0);
      assert.match(help.stdout, new RegExp(`^Usage: wardenpool policy ${command} .*\n[^]*Exit code: 0; 125`));
      assert.match(
        failure(await policy(command)),
        new RegExp(`missing required argument 'file'\n.*policy ${command} --help`),
      );
    }
    assert.match(failure(await policy('evaluate', file)), /missing required argument 'path'/);
    assert.match(failure(await policy('compyle')), /unknown command 'compyle'\n\(Did you mean compile\?\)/);
  });
});
