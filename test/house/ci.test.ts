// The counts that .ci/run ends with, in a small project of its own: a real mocha, real npm scripts, and parts that work
// or fail as each case wants.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const passing = `it('passes', () => {});\n`;
/** What a script that starts mocha itself does: it is told which, and hands on its counts. */
const matrix = `import { appendFileSync } from 'node:fs';
if (process.argv[2] === '--others') appendFileSync(process.env.WARDENPOOL_TEST_COUNTS, '1 0\\n');
`;
const failing = `it('fails', () => { throw new Error('as the case wants'); });\n`;

interface Project {
  test: string;
  sanitized?: string;
  demo?: string;
  fuzz?: string;
  audit?: string;
}

function runCi({ test, sanitized = passing, demo = 'exit 0', fuzz = 'exit 0', audit = 'exit 0' }: Project): {
  lastLine: string;
  lineBefore: string;
  /** What is said once more at the end. */
  failures: string;
  status: number | null;
} {
  const directory = mkdtempSync(join(tmpdir(), 'wardenpool-ci-test-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  try {
    cpSync(join(root, '.ci/run'), join(directory, '.ci/run'));
    cpSync(join(root, 'scripts/counting-reporter.mjs'), join(directory, 'scripts/counting-reporter.mjs'));
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    write('scripts/setup.mjs', '');
    write('main.test.cjs', test);
    write('sanitized.test.cjs', sanitized);
    write('package.test.cjs', passing);
    write('matrix.mjs', matrix);
    const scripts = {
      lint: 'exit 0',
      check: 'exit 0',
      audit,
      demo,
      bench: 'exit 0',
      'bench:commands': 'exit 0',
      'bench:counts': 'exit 0',
      'bench:peers': 'exit 0',
      'bench:admission': 'exit 0',
      'bench:hostile': 'exit 0',
      soak: 'exit 0',
      flood: 'exit 0',
      chaos: 'exit 0',
      reproduce: 'exit 0',
      'fuzz:smoke': fuzz,
      test: 'mocha main.test.cjs',
      'test:package': 'mocha package.test.cjs',
      'test:matrix': 'node matrix.mjs',
      'test:sanitize': 'mocha sanitized.test.cjs',
    };
    write('package.json', JSON.stringify({ private: true, scripts }));
    const {
      WARDENPOOL_TEST_COUNTS: _counts,
      WARDENPOOL_TEST_FAILURES: _failures,
      ...environment
    } = process.env;
    const run = spawnSync('bash', ['.ci/run'], {
      cwd: directory,
      encoding: 'utf8',
      env: environment,
      timeout: 120_000,
    });
    assert.equal(run.error, undefined);
    const [lineBefore = '', lastLine = ''] = run.stdout.trimEnd().split('\n').slice(-2);
    const [, failures = ''] = run.stdout.split('\n=== what failed\n');
    return { lastLine, lineBefore, failures, status: run.status };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describe('.ci/run', function () {
  this.timeout(150_000);
  it('adds up the tests of all mocha runs and succeeds if none failed', () => {
    const { lastLine, failures, status } = runCi({ test: passing + passing });
    assert.equal(lastLine, '5 passed, 0 failed');
    assert.equal(failures, '');
    assert.equal(status, 0);
  });

  it('counts failing tests one by one, and each failing part without tests as one, and goes on after them', () => {
    const test = passing + failing + failing;
    const { lastLine, status } = runCi({ test, demo: 'exit 3', fuzz: 'exit 1' });
    assert.equal(lastLine, '4 passed, 4 failed');
    assert.equal(status, 1);
  });

  it('says once more at the end what failed, where and why', () => {
    const suite =
      "describe('a suite', () => { it('fails, too', () => { throw new Error('for a reason'); }); });\n";
    const { failures } = runCi({ test: passing + failing, sanitized: suite, demo: 'exit 3' });
    assert.match(
      failures,
      /^fails \(main\.test\.cjs\)\n {4}Error: as the case wants\n {4} +at .*main\.test\.cjs:2:/,
    );
    assert.match(failures, /\ntests: failed\n/);
    assert.match(failures, /\na suite fails, too \(sanitized\.test\.cjs\)\n {4}Error: for a reason\n/);
    assert.match(failures, /\ndemo: failed\n\n3 passed, 3 failed\n$/);
    assert.doesNotMatch(failures, /passes/);
  });

  it('says what others did not answer, and does not count it', () => {
    const { lastLine, lineBefore, status } = runCi({ test: passing, audit: 'exit 75' });
    assert.equal(lineBefore, 'no answer: audit of dependencies');
    assert.equal(lastLine, '4 passed, 0 failed');
    assert.equal(status, 0);
  });

  it('counts an audit that found something', () => {
    const { lastLine, lineBefore } = runCi({ test: passing, audit: 'exit 1' });
    assert.equal(lineBefore, '');
    assert.equal(lastLine, '4 passed, 1 failed');
  });

  it('counts a mocha that could not load its tests as a failure, and one that dies in the middle', () => {
    const dying = `${passing}it('dies', () => process.exit(0));\n`;
    const { lastLine, status } = runCi({ test: 'this is no JavaScript', sanitized: dying });
    assert.equal(lastLine, '2 passed, 2 failed');
    assert.equal(status, 1);
  });
});
