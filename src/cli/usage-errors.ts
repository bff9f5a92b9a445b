/** What is said about a command line that is wrong, from what commander says: in our form, and with the option that was meant. */

/** Words that other tools have for options of `run`; misspelt ones commander finds by itself. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  '--timeout': '--wall-time',
  '--timeout-ms': '--wall-time',
  '--time': '--wall-time',
  '--cpu': '--cpu-time',
  '--mem': '--memory',
  '--memory-bytes': '--memory',
  '--pids': '--processes',
  '--read-only': '--ro',
  '--read-write': '--rw',
  '--write': '--rw',
  '--writable': '--rw',
  '-e': '--env',
  '--setenv': '--env',
  '--cwd': '--workspace',
  '--chdir': '--workspace',
  '--workdir': '--workspace',
  '--dir': '--workspace',
  '--volume': '--workspace, or --policy with a rule for each path',
  '--bind': '--workspace, or --policy with a rule for each path',
  '--net': '--policy, with a file whose "network" is {"mode": "direct"}',
  '--network': '--policy, with a file whose "network" is {"mode": "direct"}',
  '--fd': '--preserve-fd',
  '--preserve-fds': '--preserve-fd',
  '--id': '--invocation-id',
  '--grace': '--grace-time',
  '--stdio': '--io',
};

/** `text`: what commander says, one line, maybe with a suggestion on a second. */
export function usageError(text: string): string {
  return text.replace(/^error: /, 'wardenpool: ');
}

/** The same of `wardenpool run`. */
export function usageErrorOfRun(text: string): string {
  const said = usageError(text);
  const [, written = ''] = /unknown option '([^'=]*)/.exec(said) ?? [];
  const meant = Object.hasOwn(OTHER_WORDS, written) ? OTHER_WORDS[written] : undefined;
  return meant === undefined ? said : `${said.split('\n', 1)[0]}\n(Did you mean ${meant}?)\n`;
}
