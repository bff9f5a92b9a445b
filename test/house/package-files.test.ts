// What `npm pack` would publish: what users need, and nothing that is for tests alone.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The native files that may be in `prebuilds`. */
const BINARIES = /^prebuilds\/[^/]+\/(wardenpool\.glibc\.node|wardenpool-launcher|code-runner|SHA256SUMS)$/;
const ALLOWED = [
  BINARIES,
  /^dist\/.*\.(c?js|c?js\.map|d\.c?ts)$/,
  /^docs\/[^/]+\.md$/,
  /^schemas\/[^/]+\.json$/,
  /^ops\/([a-z]+\/)?[A-Za-z]+\.(json|md|yml)$/,
  /^(LICENSE|README|SECURITY|THIRD_PARTY)(\.md)?$/,
  /^package\.json$/,
];

describe('the published package', () => {
  let paths: string[];

  before(() => {
    const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 50_000,
    });
    const [report] = JSON.parse(output) as { files: { path: string }[] }[];
    paths = report?.files.map(({ path }) => path) ?? [];
  });

  it('has nothing but what users need: no source, no test, no attacker', () => {
    const others = paths.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)));
    assert.deepEqual(others, []);
  });

  it('has the code, the types, the schemas, the pages and the licences', () => {
    for (const path of [
      'dist/index.js',
      'dist/index.d.ts',
      'dist/executor/index.js',
      'dist/cli/main.js',
      'schemas/policy-3.schema.json',
      'schemas/receipt-1.schema.json',
      'docs/isolation.md',
      'SECURITY.md',
      'THIRD_PARTY.md',
      'LICENSE',
    ]) {
      assert.ok(paths.includes(path), `${path} is missing`);
    }
  });
});
