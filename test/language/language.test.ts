// docs/language.md says what the guest has and has not, and is right.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { languageDocument } from './document.js';
import { type Answer, survey } from './survey.js';

const file = fileURLToPath(new URL('../../docs/language.md', import.meta.url));

describe('the language of programs', () => {
  let answers: Answer[];
  before(async () => {
    answers = await survey();
  });

  it('is what docs/language.md says; after a change that is meant, run npm run docs:language', () => {
    assert.equal(languageDocument(answers), readFileSync(file, 'utf8'));
  });

  it('has a program for every feature, and no two of one name', () => {
    const names = answers.map(({ edition, group, name }) => `${edition} ${group} ${name}`);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('has nothing of the host', () => {
    const ofHost = answers.filter(
      ({ edition, group }) => edition === 'environment' && ['Node.js', 'QuickJS shells'].includes(group),
    );
    assert.ok(ofHost.length > 10);
    assert.deepEqual(
      ofHost.filter(({ isThere }) => isThere).map(({ name }) => name),
      [],
    );
  });
});
