import assert from 'node:assert/strict';
import { ToolError } from 'wardenpool';

describe('ToolError', () => {
  it('has the code and the cause that it is given', () => {
    const cause = new Error('c');
    const { code, message, cause: kept } = new ToolError('m', { code: 'NO', cause });
    assert.deepEqual([code, message, kept], ['NO', 'm', cause]);
    assert.equal(new ToolError('m').code, 'TOOL_FAILED');
    assert.equal(new ToolError('m', {}).code, 'TOOL_FAILED');
  });

  const wrong: [string, unknown, RegExp][] = [
    [
      'a code in the place of the options',
      'CODE',
      /is "CODE": write new ToolError\(message, \{ code: "CODE" \}\)$/,
    ],
    [
      'an error',
      Object.assign(new Error('m'), { code: 'ENOENT' }),
      /is an error: write .*\{ cause: error \}/,
    ],
    ['null', null, /is null: write new ToolError/],
    ['an array', ['CODE'], /is an array: write new ToolError/],
    ['a misspelt option', { cod: 'X' }, /^ToolError has no option "cod": did you mean code\?$/],
    [
      'an option that it does not have',
      { status: 5 },
      /^ToolError has no option "status": there are code and/,
    ],
    ['a code that is no string', { code: 5 }, /^option code of ToolError is 5: it must be a string/],
  ];
  for (const [what, options, message] of wrong) {
    it(`refuses ${what}, saying what to write`, () => {
      assert.throws(() => new ToolError('m', options as never), { name: 'TypeError', message });
    });
  }
});
