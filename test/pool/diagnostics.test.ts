/** NODE_DEBUG=wardenpool: the lines that docs/operations.md describes, and nothing of what programs say or are told. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function stderrOf(environment: Record<string, string>): Promise<string> {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    // The warning is of what ts-node uses, from Node.js 22 on, and would be mixed with what is looked for.
    ['--disable-warning=DEP0180', '--import', './scripts/register-ts.mjs', 'test/pool/diagnostics-host.ts'],
    { cwd: root, env: { ...process.env, ...environment }, timeout: 120_000 },
  );
  return stderr;
}

describe('pool: diagnostics', function () {
  this.timeout(150_000);

  let told = '';
  let toldByDefault = '';
  before(async () => {
    [told, toldByDefault] = await Promise.all([
      stderrOf({ NODE_DEBUG: 'wardenpool' }),
      stderrOf({ NODE_DEBUG: '' }),
    ]);
  });

  it('tell what a pool does with its workers and launchers, and nothing of its programs', () => {
    const lines = told.trim().split('\n');
    const documented = readFileSync(`${root}docs/operations.md`, 'utf8').matchAll(/^WARDENPOOL \d+: (.*)$/gm);
    // Numbers are others every time, and so are settings.
    const shapeOf = (line: string) =>
      line
        .replace(/^WARDENPOOL \d+: /, '')
        .replace(/\{.*\}/, '{}')
        .replace(/"[^"]*"/g, '"id"')
        .replace(/\d+/g, '0')
        .replace('on the backend namespaces', 'on the backend seccomp');
    const shapes = new Set(lines.map(shapeOf));
    for (const [, line = ''] of documented) {
      if (!line.includes('is refused'))
        assert.ok(shapes.has(shapeOf(line)), `${line}\nin\n${lines.join('\n')}`);
    }
    for (const line of lines) {
      assert.match(line, /^WARDENPOOL \d+: /);
      assert.ok(!line.includes('SECRET'), line);
    }
  });

  it('are none by default', () => {
    assert.equal(toldByDefault, '');
  });
});
