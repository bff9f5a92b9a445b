/** The package as another user can read it. */
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A uid and gid that is nobody's. */
export const ORDINARY_USER = 12_345;

/** Puts that user in front of a command, where it is root who runs the tests; who is not root is one already. */
export const asOrdinaryUser: string[] =
  process.geteuid?.() === 0
    ? ['setpriv', '--reuid', `${ORDINARY_USER}`, '--regid', `${ORDINARY_USER}`, '--clear-groups']
    : ['env'];

/** What tests start as another user. */
const HOSTS = [
  'attack-host.mjs',
  'child-host.mjs',
  'command-host.mjs',
  'one-command-host.mjs',
  'program-host.mjs',
].map((name) => `test/support/${name}`);

const BINARIES = [
  'wardenpool.node',
  'wardenpool-launcher',
  'code-runner',
  'probe-command',
  'probe-launcher',
  'probe-launcher-unfiltered',
];

/** As it is before any test has one of its own, which would take the copy along. */
const TEMPORARY = tmpdir();

let made: string | undefined;

/**
 * The built package where any user may read it, whatever the permissions above the checkout. It is made once, and gone when
 * this process is.
 */
export function readableCopy(): string {
  made ??= makeCopy();
  return made;
}

function makeCopy(): string {
  const copy = mkdtempSync(join(TEMPORARY, 'wardenpool-test-'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  chmodSync(copy, 0o755);
  for (const part of ['package.json', 'dist', ...HOSTS])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  for (const file of BINARIES) cpSync(join(ROOT, 'build/Release', file), join(copy, 'build/Release', file));
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev, optional }] of Object.entries(lock.packages))
    if (path !== '' && !dev && !optional) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  return copy;
}
