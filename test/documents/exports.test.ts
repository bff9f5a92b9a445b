// Whatever users can import is said somewhere that users read: what is for nobody else is not exported.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as main from 'wardenpool';
import * as executor from 'wardenpool/executor';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENTS = ['README.md', ...readdirSync(new URL('docs/', ROOT)).map((name) => `docs/${name}`)];
const TEXT = DOCUMENTS.map((name) => readFileSync(new URL(name, ROOT), 'utf8')).join('\n');

describe('the documents', () => {
  for (const [entry, exported] of Object.entries({ wardenpool: main, 'wardenpool/executor': executor }))
    it(`say something of everything that ${entry} exports`, () => {
      const isSaid = (name: string) => new RegExp(`\\b${name}\\b`).test(TEXT);
      assert.deepEqual(
        Object.keys(exported).filter((name) => !isSaid(name)),
        [],
      );
    });
});
