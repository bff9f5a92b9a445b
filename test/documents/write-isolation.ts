/** Writes docs/system-calls.md: npm run docs:isolation. */
import { writeFileSync } from 'node:fs';
import { systemCallsDocument } from './system-calls-document.js';

writeFileSync(new URL('../../docs/system-calls.md', import.meta.url), systemCallsDocument());
