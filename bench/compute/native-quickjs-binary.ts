/**
 * Where to get native QuickJS from. Debian has no package of it in every release, so it is built: the npm package `qjsc`
 * carries the sources of QuickJS 2021-03-27, which is older than the engine's own (QuickJS-NG) and the same interpreter at
 * heart. Built once, with the -O2 of its Makefile and without link-time optimisation, as the engine is.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../scripts/lib/commands.mjs';
import { ExplainedError, root, timed } from '../../scripts/lib/project.mjs';
import { compilers } from '../../scripts/lib/requirements.mjs';

const VERSION = '2021-03-27';
const PACKAGE = 'qjsc@0.3.0';
const INTEGRITY =
  'sha512-a7+cU6/IVcZbIejffdt/wZVMX6LL2MDL3HQ9Zb5Gm23G9DvBMS/z9GHFxz39bAvp2PvMOM+ypSOAyokt2DdZ2w==';
const SOURCES = ['quickjs.c', 'libregexp.c', 'libunicode.c', 'cutils.c', 'libbf.c'];
const FLAGS = ['-O2', '-w', '-D_GNU_SOURCE', '-DCONFIG_BIGNUM', `-DCONFIG_VERSION="${VERSION}"`];

const SHELL = fileURLToPath(new URL('native-quickjs.c', import.meta.url));
const BINARY = join(root, 'build/bench', `native-quickjs-${VERSION}`);
const DOWNLOAD_TIMEOUT_MS = 2 * 60_000;
const COMPILE_TIMEOUT_MS = 10 * 60_000;

/** @throws ExplainedError where it cannot be had. */
export function nativeQuickJsBinary(): string {
  if (!existsSync(BINARY)) timed(`building QuickJS ${VERSION}, which the benchmark compares with`, build);
  return BINARY;
}

function build(): void {
  const folder = mkdtempSync(join(tmpdir(), 'wardenpool-quickjs-'));
  try {
    download(folder);
    const sources = join(folder, 'package/deps', `quickjs_${VERSION.replaceAll('-', '_')}`);
    const files = SOURCES.map((file) => join(sources, file));
    const [compiler = 'cc', ...first] = compilers.c;
    const built = join(folder, 'native-quickjs');
    run(compiler, [...first, ...FLAGS, '-I', sources, SHELL, ...files, '-lm', '-lpthread', '-o', built], {
      timeoutMs: COMPILE_TIMEOUT_MS,
    });
    mkdirSync(dirname(BINARY), { recursive: true });
    run('cp', [built, `${BINARY}.new`], { timeoutMs: DOWNLOAD_TIMEOUT_MS });
    renameSync(`${BINARY}.new`, BINARY);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Only downloads: no script of the package runs. */
function download(folder: string): void {
  run('npm', ['pack', PACKAGE, '--pack-destination', folder, '--loglevel=error'], {
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
  });
  const [archive = ''] = readdirSync(folder);
  const digest = createHash('sha512')
    .update(readFileSync(join(folder, archive)))
    .digest('base64');
  if (`sha512-${digest}` !== INTEGRITY)
    throw new ExplainedError(
      `the npm package ${PACKAGE} is not what it was (sha512-${digest}): it is not built`,
    );
  run('tar', ['-xzf', join(folder, archive), '-C', folder], { timeoutMs: DOWNLOAD_TIMEOUT_MS });
}
