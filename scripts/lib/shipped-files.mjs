// The native files that the package ships, and their digests: SHA256SUMS lies beside them, as `sha256sum --check` reads it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const shippedFiles = ['code-runner', 'wardenpool-launcher', 'wardenpool.node'];

export const digestsFile = 'SHA256SUMS';

/**
 * Writes SHA256SUMS of a folder in which all of them are.
 * @param {string} folder
 * @returns {string[]} its lines: the digest in hexadecimal, two spaces, the name
 */
export function writeDigests(folder) {
  const lines = shippedFiles.map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}`;
  });
  writeFileSync(join(folder, digestsFile), `${lines.join('\n')}\n`);
  return lines;
}
