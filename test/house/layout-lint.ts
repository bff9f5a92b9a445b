// Lints imports in a copy of the layout of src/: every case is one line of one file, and all cases together cost a
// single run of the linter. It knows nothing of which imports are right.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

/** The lines to lint, by the path of the file they stand in. */
export type Layout = Map<string, string[]>;

/** What the import rules say about a layout. */
export interface Verdicts {
  /** The messages about one line (1-based) of one file; empty if the line is fine. */
  about(path: string, line: number): string[];
}

interface Diagnostic {
  category: string;
  message: string;
  location: { path: string; start: { line: number } };
}

/** Runs the project's linter, with the project's configuration, over `layout`. */
export function lintLayout(layout: Layout): Verdicts {
  const directory = mkdtempSync(join(tmpdir(), 'wardenpool-lint-'));
  try {
    cpSync(join(root, 'biome.json'), join(directory, 'biome.json'));
    cpSync(join(root, 'scripts/lint'), join(directory, 'scripts/lint'), { recursive: true });
    for (const [path, lines] of layout) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), `${lines.join('\n')}\n`);
    }
    const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'src'];
    const run = spawnSync(process.execPath, args, {
      cwd: directory,
      encoding: 'utf8',
      timeout: 30_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    assert.equal(run.error, undefined);
    return readVerdicts(run.stdout, run.stderr);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readVerdicts(report: string, complaint: string): Verdicts {
  assert.match(report, /^\{/, `the linter gave no report; it said:\n${report}${complaint}`);
  const { diagnostics } = JSON.parse(report) as { diagnostics: Diagnostic[] };
  const relevant = diagnostics.filter(
    ({ category }) => category === 'plugin' || category === 'lint/style/noRestrictedImports',
  );
  return {
    about: (path, line) =>
      relevant
        .filter(({ location }) => location.path === path && location.start.line === line)
        .map(({ message }) => message),
  };
}
