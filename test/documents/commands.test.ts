// docs/commands.md shows what commands print, and how usual tools are run. That is so.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAIN } from '../cli/command.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const document = readFileSync(join(ROOT, 'docs/commands.md'), 'utf8');

/** Each command of the document's console sessions, and what it prints. */
const SESSIONS = [...document.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((session) => {
    const [command = '', ...output] = session.split('\n');
    return { command, output: output.join('\n') };
  });

describe('docs/commands.md', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'wardenpool-docs-'));
    chmodSync(directory, 0o755);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** By a shell in which `wardenpool` is ours; both streams. */
  const shell = (command: string, cwd = directory): string => {
    const wardenpool = `wardenpool() { '${process.execPath}' '${MAIN}' "$@"; }; `;
    const { stdout } = spawnSync('sh', ['-c', `exec 2>&1; ${wardenpool}${command}`], {
      cwd,
      encoding: 'utf8',
    });
    return stdout;
  };

  it('has sessions', () => assert.equal(SESSIONS.length, 7));

  for (const { command, output } of SESSIONS)
    it(`shows what is printed by ${command}`, () => {
      const isExample = command.includes('examples/relay.py');
      const runs = command.replace('npx wardenpool', `'${process.execPath}' '${MAIN}'`);
      const uid = (text: string) => text.replace(/as uid \d+/, 'as uid 65534');
      // Two streams may come in another order than they were written in.
      const lines = (text: string) => text.split('\n').sort();
      assert.deepEqual(lines(uid(shell(runs, isExample ? ROOT : directory))), lines(output));
    });

  describe('has recipes that work', () => {
    const PATH = '--env PATH=/usr/local/bin:/usr/bin:/bin';

    it('for make, as it is written there', () => {
      writeFileSync(join(directory, 'Makefile'), 'out:\n\tcat Makefile > out; echo built\n');
      const recipe = /^\| `make` \| `(.*)` \|$/m.exec(document)?.[1] ?? assert.fail('there is no recipe');
      assert.match(shell(recipe), /^built$/m);
    });

    it('for git', () => {
      execFileSync('git', ['init', '-q', directory]);
      const names = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL'];
      for (const name of names) assert.ok(document.includes(name), name);
      const identity = names.map((name) => `--env ${name}=somebody`).join(' ');
      const run = `wardenpool run --rw --env HOME=/tmp ${identity} --io inherit -- git`;
      assert.equal(
        shell(`${run} commit -q --allow-empty -m first; ${run} log --format=%s%an`),
        'firstsomebody\n',
      );
    });

    it('for npm', () => {
      writeFileSync(join(directory, 'package.json'), '{ "name": "a", "scripts": { "test": "node -p 6*7" } }');
      assert.match(shell('wardenpool run --rw --env PATH --env HOME=/tmp --io inherit -- npm test'), /^42$/m);
    });

    it('for Python and its environments', () => {
      const run = `wardenpool run --rw ${PATH} --io inherit --`;
      assert.equal(
        shell(
          `${run} python3 -m venv --without-pip venv; ${run} venv/bin/python -c 'import sys; print(sys.prefix)'`,
        ),
        '/workspace/venv\n',
      );
    });
  });
});
