import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { errorsDocument } from './errors-document.js';

describe('docs/errors.md', () => {
  it('is what programs that are wrong are told now (npm run docs:errors writes it)', async () => {
    const written = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    assert.equal(await errorsDocument(), written);
  });
});
