import assert from 'node:assert/strict';
import { shellHint } from '../../../src/executor/command/shell-hint.js';

describe('the hint about a command that does not exist', () => {
  const cases: [string[], RegExp][] = [
    [['cd', 'export', 'source', '.', 'exit', 'if', '{'], /^ \(a shell has it built in: .* sh, -c and a line/],
    [
      ['ls -l', 'a&&b', 'a|b', 'a;b', '*.sh', '$HOME/x', '(a)', "'a'", 'a\nb'],
      /^ \(is it a line for a shell\?/,
    ],
    [['A=1', '_x='], /^ \(a variable is no part of a command/],
    [['~/x', '~user/x'], /^ \(only a shell knows what ~ is/],
    [['ls', './x', '/usr/bin/[', 'g++', 'a-b.c_d@e:f', '=x', 'ça'], /^$/],
  ];
  for (const [programs, says] of cases)
    it(`says of ${programs.map((each) => JSON.stringify(each)).join(', ')}: ${says}`, () => {
      for (const program of programs) assert.match(shellHint(program), says);
    });
});
