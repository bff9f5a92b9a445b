/** The pages about isolation that are written from what is tested. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { attacksDocument } from './attacks-document.js';
import { systemCallsDocument } from './system-calls-document.js';

const STALE = 'it is stale: npm run docs:isolation writes it';

function written(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

describe('docs/system-calls.md', () => {
  it('is what the filters are made of', () => {
    assert.equal(written('system-calls.md'), systemCallsDocument(), STALE);
  });
});

describe('docs/attacks.md', () => {
  it('lists the attacks that there are', () => {
    assert.equal(written('attacks.md'), attacksDocument(), STALE);
  });
});
