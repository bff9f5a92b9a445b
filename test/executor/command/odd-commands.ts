/** Commands that cannot be run, in a directory of their own, with what is said of each. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface OddCommand {
  title: string;
  /** Relative to the directory, if it has a slash. */
  name: string;
  says: RegExp;
  failure: 'not-found' | 'not-executable';
  errno: string;
}

export const ODD_COMMANDS: readonly OddCommand[] = [
  {
    title: 'is in no PATH',
    name: 'wardenpool-no-such',
    says: /"wardenpool-no-such" is in no directory of PATH/,
    failure: 'not-found',
    errno: 'ENOENT',
  },
  {
    title: 'is a line for a shell',
    name: 'ls -l',
    says: /"ls -l" is in no directory of PATH \(is it a line for a shell\?/,
    failure: 'not-found',
    errno: 'ENOENT',
  },
  {
    title: 'does not exist',
    name: './none',
    says: /none" does not exist/,
    failure: 'not-found',
    errno: 'ENOENT',
  },
  {
    title: 'is below a file',
    name: './empty/none',
    says: /none" does not exist/,
    failure: 'not-found',
    errno: 'ENOENT',
  },
  {
    title: 'is a directory',
    name: './directory',
    says: /directory" is a directory/,
    failure: 'not-executable',
    errno: 'EISDIR',
  },
  {
    title: 'is no file',
    name: '/dev/null',
    says: /"\/dev\/null" is not a file/,
    failure: 'not-executable',
    errno: 'EACCES',
  },
  {
    title: 'is not executable',
    name: './plain',
    says: /plain" is not executable for user \d+ \(mode 0644\)/,
    failure: 'not-executable',
    errno: 'EACCES',
  },
  {
    title: 'is a script without #!',
    name: './bare',
    says: /bare is no program: a script begins with #!/,
    failure: 'not-executable',
    errno: 'ENOEXEC',
  },
  {
    title: 'is empty',
    name: './empty',
    says: /empty is no program/,
    failure: 'not-executable',
    errno: 'ENOEXEC',
  },
  {
    title: 'is for another machine',
    name: './foreign',
    says: /foreign is no program/,
    failure: 'not-executable',
    errno: 'ENOEXEC',
  },
  {
    title: 'has an interpreter that does not exist',
    name: './orphan',
    says: /the interpreter of the script .*orphan, \/nonexistent\/sh, is not in the sandbox/,
    failure: 'not-found',
    errno: 'ENOENT',
  },
];

const FILES: readonly [name: string, content: string | Buffer, mode: number][] = [
  ['plain', '#!/bin/sh\n', 0o644],
  ['bare', 'echo hello\n', 0o755],
  ['empty', '', 0o755],
  ['orphan', '#!/nonexistent/sh\necho hello\n', 0o755],
  ['foreign', foreignProgram(), 0o755],
];

/** An ELF header of a machine that this one is not: big-endian SPARC. */
function foreignProgram(): Buffer {
  const header = Buffer.alloc(64);
  header.write('\x7fELF\x02\x02\x01', 'latin1');
  header.writeUInt16BE(2, 16);
  header.writeUInt16BE(43, 18);
  header.writeUInt32BE(1, 20);
  return header;
}

export function writeOddCommands(directory: string): void {
  mkdirSync(join(directory, 'directory'));
  for (const [name, content, mode] of FILES) {
    writeFileSync(join(directory, name), content);
    chmodSync(join(directory, name), mode);
  }
}
