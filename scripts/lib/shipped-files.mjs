// The native files that the package ships, and their digests: SHA256SUMS lies beside them, as `sha256sum --check` reads it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As they are built. */
export const shippedFiles = ['code-runner', 'wardenpool-launcher', 'wardenpool.node'];

export const digestsFile = 'SHA256SUMS';

/**
 * Writes SHA256SUMS of a folder.
 * @param {string} folder
 * @param {readonly string[]} [names]  of the files; default as they are built
 * @returns {string[]} its lines: the digest in hexadecimal, two spaces, the name
 */
export function writeDigests(folder, names = shippedFiles) {
  const lines = names.map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}`;
  });
  writeFileSync(join(folder, digestsFile), `${lines.join('\n')}\n`);
  return lines;
}
