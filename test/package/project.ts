/** The package as somebody has it who installed it: packed, and installed without any script into an empty project. Made once. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../../scripts/lib/npm.mjs';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface PackedFile {
  path: string;
  size: number;
  mode: number;
}

export interface Project {
  /** Of the project, which has nothing but the package. */
  folder: string;
  /** Of the installed package. */
  installed: string;
  packedBytes: number;
  unpackedBytes: number;
  files: PackedFile[];
}

function npm(args: string[], cwd: string): string {
  return execFileSync(process.execPath, [npmCommand(), ...args, '--ignore-scripts', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 280_000,
  });
}

let made: Project | undefined;

/** `prebuilds` must have been made: `npm run test:package` does. */
export function installedProject(): Project {
  made ??= install();
  return made;
}

function install(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'wardenpool-package-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], ROOT)) as {
    filename: string;
    size: number;
    unpackedSize: number;
    files: PackedFile[];
  }[];
  if (packed === undefined) throw new Error('npm pack has packed nothing');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(['install', join(folder, packed.filename), '--no-audit', '--no-fund', '--prefer-offline'], folder);
  // Whoever writes TypeScript has these.
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  return {
    folder,
    installed: join(folder, 'node_modules/wardenpool'),
    packedBytes: packed.size,
    unpackedBytes: packed.unpackedSize,
    files: packed.files,
  };
}
