/* Writes a file's bytes as the elements of a C array: `node embed.mjs FILE OUTPUT`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [input, output] = process.argv.slice(2);
if (!input || !output) {
  console.error('usage: node embed.mjs FILE OUTPUT');
  process.exit(1);
}
const bytes = Array.from(readFileSync(input));
const lines = [];
for (let i = 0; i < bytes.length; i += 24) lines.push(`${bytes.slice(i, i + 24).join(',')},`);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `${lines.join('\n')}\n`);
