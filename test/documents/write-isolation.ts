/** Writes docs/system-calls.md and docs/attacks.md: npm run docs:isolation. */
import { writeFileSync } from 'node:fs';
import { attacksDocument } from './attacks-document.js';
import { systemCallsDocument } from './system-calls-document.js';

const documents = { 'system-calls.md': systemCallsDocument(), 'attacks.md': attacksDocument() };
for (const [name, text] of Object.entries(documents))
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), text);
