/** What somebody may have meant whose command does not exist: something that only a shell understands. Pure. */

/** Built-in commands and reserved words of POSIX shells and bash that are programs nowhere, or not with this meaning. */
const OF_SHELLS = new Set(
  (
    '. : alias bg builtin case cd command declare dirs eval exec exit export fg for function getopts hash history if jobs let ' +
    'local popd pushd read readonly return select set shift shopt source time times trap type typeset ulimit umask unalias ' +
    'unset until wait while ! { ('
  ).split(' '),
);

/** In brackets, after a space; empty if nothing comes to mind. */
export function shellHint(program: string): string {
  if (OF_SHELLS.has(program))
    return ' (a shell has it built in: the command for that is sh, -c and a line in which it stands)';
  if (/^[A-Za-z_]\w*=/.test(program))
    return ' (a variable is no part of a command: give it as one of its environment)';
  if (program.startsWith('~')) return ' (only a shell knows what ~ is: write the whole path)';
  if (/[\s;&|<>$`*?"'()]/.test(program))
    return ' (is it a line for a shell? The command for that is sh, -c and the line; otherwise the program and each argument are words of their own)';
  return '';
}
