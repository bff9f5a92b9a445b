/** A copy of the built package whose runner is an attacker: native/probe in the place of the launcher's own. */
import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface AttackingPackage extends Disposable {
  /** URL of its module for pools. */
  readonly entryPoint: string;
}

export function attackingPackage(): AttackingPackage {
  const copy = mkdtempSync(join(tmpdir(), 'wardenpool-flood-'));
  chmodSync(copy, 0o755);
  for (const part of ['package.json', 'dist', 'build/Release/wardenpool.node', 'build/Release/code-runner'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  cpSync(join(ROOT, 'build/Release/probe-launcher'), join(copy, 'build/Release/wardenpool-launcher'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return {
    entryPoint: pathToFileURL(join(copy, 'dist/index.js')).href,
    [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }),
  };
}
