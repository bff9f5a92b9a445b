import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MAIN } from '../cli/command.js';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const run = promisify(execFile);

/** A result, and what the receipt says about it. */
function checkOutput(output: string): void {
  assert.match(
    output,
    /^tool\.call +math\.double \{"value": ?21\}\nresult +42\nreturncode +0\nbackend +\w+ as uid \d+\n/,
  );
  assert.match(output, /^network +none$/m);
  assert.match(output, /^outcome +exited, containment confirmed: true$/m);
}

describe('the examples', () => {
  it('relay.mjs talks with a code-runner in a sandbox', async () => {
    const { stdout, stderr } = await run(process.execPath, [`${EXAMPLES}relay.mjs`]);
    checkOutput(stdout);
    assert.equal(stderr, '');
  });

  it('relay.py does so from another language', async () => {
    const { stdout, stderr } = await run('python3', [`${EXAMPLES}relay.py`, process.execPath, MAIN]);
    checkOutput(stdout);
    assert.equal(stderr, '');
  });

  it('agent-loop.mjs: a model that is told what was wrong writes a program that is right', async () => {
    const { stdout, stderr } = await run(process.execPath, [`${EXAMPLES}agent-loop.mjs`]);
    assert.match(
      stdout,
      /^--- attempt 1\nThe program failed [\s\S]*Did you mean tools\['weather\.forecast'\]\?/,
    );
    assert.match(
      stdout,
      /--- attempt 2\nThe program succeeded\. Its result:\n\{"city":"Rome","degrees":19\}\n/,
    );
    assert.equal(stderr, '');
  });
});
