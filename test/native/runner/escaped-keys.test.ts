// Found by fuzzing: a key may be spelt with escapes, at the top of a frame as anywhere else.
import assert from 'node:assert/strict';
import { executeFrame, Runner } from './helper.js';

/** The same JSON with every character of every key as an escape. */
function escapeKeys(json: string): string {
  return json.replace(/"(\w+)":/g, (_, key: string) => {
    const escapes = [...key].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `"${escapes.join('')}":`;
  });
}

describe('frames whose keys are spelt with escapes', () => {
  it('are read like any others', async () => {
    const runner = new Runner();
    runner.write(`${escapeKeys(JSON.stringify(executeFrame({ code: 'return tools.t()', tools: ['t'] })))}\n`);
    const { id } = await runner.frame('tool.call');
    const result = { version: 'code-bridge-v1', type: 'tool.result', id, ok: true, result: 7 };
    runner.write(`${escapeKeys(JSON.stringify(result))}\n`);
    const { terminal, exitCode, stderr } = await runner.ended();
    assert.equal(terminal?.result, 7, stderr);
    assert.equal(exitCode, 0);
  });

  it('have no key twice, however it is spelt', async () => {
    const frame = JSON.stringify(executeFrame({ code: 'return 1' }));
    const { exitCode, stderr } = await new Runner()
      .write(`${frame.replace('{', '{"\\u0074ype":"execute",')}\n`)
      .ended();
    assert.equal(exitCode, 2);
    assert.match(stderr, /same key twice/);
  });
});
