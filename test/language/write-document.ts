/** `npm run docs:language`: asks the guest, and writes docs/language.md. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { languageDocument } from './document.js';
import { survey } from './survey.js';

const file = fileURLToPath(new URL('../../docs/language.md', import.meta.url));
writeFileSync(file, languageDocument(await survey()));
console.log(`written to ${file}`);
