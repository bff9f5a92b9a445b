/*
 * Writes scripts as initialisers of C structures `{ name, length, text }`: `node embed.mjs OUTPUT FILE...`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const [output, ...inputs] = process.argv.slice(2);
if (!output || inputs.length === 0) {
  console.error('usage: node embed.mjs OUTPUT FILE...');
  process.exit(1);
}

function initialiser(file) {
  const bytes = Array.from(readFileSync(file));
  const lines = [];
  for (let i = 0; i < bytes.length; i += 24) lines.push(`${bytes.slice(i, i + 24).join(',')},`);
  const name = JSON.stringify(basename(file));
  return `{${name}, ${bytes.length}, (const uint8_t[]){\n${lines.join('\n')}\n}},`;
}

mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `${inputs.map(initialiser).join('\n')}\n`);
