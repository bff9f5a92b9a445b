// Builds of this checkout elsewhere, and how the digests of their native files compare.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run, succeeds } from './commands.mjs';
import { outputFolder } from './native-build.mjs';
import { ExplainedError, root, say, timed } from './project.mjs';
import { buildPrograms } from './requirements.mjs';
import { digestsFile } from './shipped-files.mjs';
import { inTemporaryDirectory } from './temporary-directory.mjs';

const buildTimeoutMs = 25 * 60_000;
const queryTimeoutMs = 30_000;

/** The second lies deeper, and has a longer path. */
const folders = ['a', 'another/folder/with/a/longer/path'];

export function compareBuilds() {
  const [first, second] = inTemporaryDirectory((directory) =>
    folders.map((folder) => buildIn(join(directory, folder))),
  );
  compare(first ?? '', second ?? '');
  for (const program of [...buildPrograms, 'ld']) {
    say(`made with ${program}: ${run(program, ['--version'], { timeoutMs: queryTimeoutMs }).split('\n')[0]}`);
  }
  say(`made with the headers of Node.js ${process.versions.node}`);
}

export function compareWithThisBuild() {
  const here = digestsIn(root);
  compare(
    here,
    inTemporaryDirectory((directory) => buildIn(join(directory, folders[1] ?? ''))),
  );
}

/**
 * @param {string} one    the text of a SHA256SUMS
 * @param {string} other
 */
function compare(one, other) {
  if (one !== other) {
    throw new ExplainedError(
      `two builds of the same files differ:\n${one}\nand\n${other}\nTo find out where, compare the files below build/Release of two builds, objects first.`,
    );
  }
  for (const line of one.trimEnd().split('\n')) say(line);
  say('the same in both builds');
}

/**
 * Builds a copy of this checkout's files, without what git ignores.
 * @param {string} folder  that is made for it
 * @returns {string} the digests of what was built
 */
function buildIn(folder) {
  for (const path of sourceFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  timed(`building in ${folder}`, () =>
    run(process.execPath, [join(folder, 'scripts/build.mjs'), 'native'], {
      folder,
      timeoutMs: buildTimeoutMs,
    }),
  );
  return digestsIn(folder);
}

/** What git knows or would take, and is still there. */
function sourceFiles() {
  if (!succeeds('git', ['rev-parse', '--is-inside-work-tree'], { timeoutMs: queryTimeoutMs })) {
    throw new ExplainedError('this is no git checkout, so that nothing says which files to build; clone it');
  }
  return run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    timeoutMs: queryTimeoutMs,
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));
}

/** @param {string} folder  of a checkout */
function digestsIn(folder) {
  const path = join(folder, outputFolder, digestsFile);
  if (!existsSync(path)) throw new ExplainedError(`${path} is missing; run node scripts/build.mjs native`);
  return readFileSync(path, 'utf8');
}
