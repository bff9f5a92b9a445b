// docs/policy.md shows a policy, and what the command line says about it. That is what it says.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wardenpool } from '../cli/command.js';

const document = readFileSync(new URL('../../docs/policy.md', import.meta.url), 'utf8');

function blocks(language: string): string[] {
  return [...document.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , text]) => text ?? '');
}

describe('docs/policy.md', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'wardenpool-docs-'));
    const [policy = ''] = blocks('json');
    writeFileSync(join(directory, 'policy.json'), policy);
    writeFileSync(join(directory, 'misspelt.json'), policy.replace('"exact"', '"exat"'));
    mkdirSync(join(directory, 'src'));
  });
  after(() => rmSync(directory, { recursive: true }));

  it('shows what the commands print', async () => {
    const sessions = blocks('console').flatMap((block) => block.split(/^\$ wardenpool /m).slice(1));
    assert.equal(sessions.length, 5);
    for (const session of sessions) {
      const [command = '', ...output] = session.split('\n');
      const { stdout, stderr } = await wardenpool(command.split(' '), '', directory);
      assert.equal(stdout + stderr, output.join('\n'), command);
    }
  });
});
