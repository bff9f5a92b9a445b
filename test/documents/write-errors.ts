/** Writes docs/errors.md: npm run docs:errors. */
import { writeFile } from 'node:fs/promises';
import { errorsDocument } from './errors-document.js';

await writeFile(new URL('../../docs/errors.md', import.meta.url), await errorsDocument());
