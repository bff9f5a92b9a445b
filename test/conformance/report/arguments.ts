/** The command line that both suites share: what to test, and how to report. */

export interface SuiteArguments {
  command: string;
  arguments: string[];
  /** Only cases whose "section: name" contains this text. */
  grep: string;
  json: boolean;
  /** How often each case is run. */
  repeat: number;
}

export class UsageError extends Error {}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new UsageError(`${option} needs a number from 1, not '${text}'`);
  return Number(text);
}

/** Our options stand anywhere before a `--`; everything else is the command, and is left as it is. */
export function readArguments(words: readonly string[]): SuiteArguments {
  const command: string[] = [];
  const read = { grep: '', json: false, repeat: 1 };
  const rest = [...words];
  const valueBehind = (option: string): string => {
    const value = rest.shift();
    if (value === undefined) throw new UsageError(`${option} needs a value`);
    return value;
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') command.push(...rest.splice(0));
    else if (word === '--json') read.json = true;
    else if (word === '--grep') read.grep = valueBehind(word);
    else if (word === '--repeat') read.repeat = wholeNumber(word, valueBehind(word));
    else command.push(word);
  }
  const [executable, ...others] = command;
  if (executable === undefined) throw new UsageError('there is nothing to test: name a command');
  return { command: executable, arguments: others, ...read };
}
