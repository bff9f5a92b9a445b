/** What `wardenpool run` is called with: its options, their values, its help. Must not know what is done with them. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { bytes, oneOf, policyFile, receiptFile, wholeNumber } from './option-values.js';
import { usageErrorOfRun } from './usage-errors.js';

const IO_MODES = ['isolated-duplex', 'inherit'];
const BACKENDS = ['auto', 'namespaces', 'seccomp', 'bubblewrap', 'seatbelt', 'posix'];

const HELP = `
The command's descriptor 3 is connected with our stdin and stdout; its own stdout and stderr come out of our stderr, its stdin
is empty. With --io inherit it has our stdin, stdout and stderr instead, and no descriptor 3.

It sees the workspace as /workspace, where it starts, a private /tmp, the programs and libraries of this machine, read-only, and
nothing else; no network; an empty environment: many tools need --env PATH and --env HOME=/tmp. Another policy may show it more.

Sizes take a suffix: K, M, G or T. Options after the command are the command's.

Exit code: the command's own; 128 and the number of the signal that ended it; 125 if it could not be run confined, 126 if it
cannot be executed, 127 if there is no such command, or its interpreter or dynamic linker is not in the sandbox.

  wardenpool run --io inherit -- git status
  wardenpool run --rw --io inherit --memory 512M --wall-time 60000 -- npm test
  wardenpool run -- code-runner < frames-to-it > frames-from-it`;

/** `run`: what is done, with the command and the options as they were written. */
export function addRunCommand(
  program: Command,
  run: (command: string[], options: object) => Promise<void>,
): void {
  program
    .command('run')
    .description('run any command in a sandbox')
    .configureOutput({ outputError: (text, write) => write(usageErrorOfRun(text)) })
    .argument('<command...>', 'the program and its arguments, after --; a name is looked for in PATH')
    .passThroughOptions()
    .addOption(
      new Option('--ro', 'the command may read the workspace; the default').conflicts(['rw', 'policy']),
    )
    .addOption(new Option('--rw', 'the command may read and write the workspace').conflicts(['ro', 'policy']))
    .addOption(
      new Option('--policy <file>', 'a policy, as JSON or MIR').argParser(policyFile).conflicts(['ro', 'rw']),
    )
    .option('--workspace <directory>', 'the workspace (default: the current directory)')
    .addOption(
      new Option('--io <mode>', 'what its streams are')
        .choices(IO_MODES)
        .argParser(oneOf(IO_MODES))
        .default('isolated-duplex'),
    )
    .addOption(
      new Option('--environment <kind>', 'what it finds in its environment, before --env')
        .choices(['empty'])
        .argParser(oneOf(['empty'], 'a command never has our variables but those that --env names'))
        .default('empty'),
    )
    .addOption(
      new Option('--env <name=value>', 'a variable of its environment; the name alone: with our value')
        .argParser(variable)
        .default({}, 'none'),
    )
    .addOption(
      new Option('--preserve-fd <n>', 'it has this descriptor of ours too, at the same number, 4 or higher')
        .argParser(descriptors)
        .default([], 'none'),
    )
    .addOption(
      new Option('--backend <name>', 'what confines it')
        .choices(BACKENDS)
        .argParser(oneOf(BACKENDS))
        .default('auto'),
    )
    .option('--receipt <file>', 'write its receipt there, as JSON, whatever the outcome', receiptFile)
    .option('--invocation-id <id>', 'what the receipt calls it (default: a UUID)')
    .option('--wall-time <ms>', 'stop it after so many milliseconds', wholeNumber)
    .option('--cpu-time <ms>', 'stop it after so much CPU time, milliseconds', wholeNumber)
    .option('--memory <bytes>', 'the most memory that it may use', bytes)
    .option('--processes <n>', 'the most processes and threads that it may have at once', wholeNumber)
    .option('--open-files <n>', 'the most descriptors that each of its processes may have', wholeNumber)
    .option('--file-size <bytes>', 'the size of the largest file that it may write', bytes)
    .option('--temp-bytes <bytes>', 'what its /tmp holds (default: 256M)', bytes)
    .option('--temp-inodes <n>', 'how many files its /tmp holds (default: 16384)', wholeNumber)
    .option(
      '--grace-time <ms>',
      'how long it may take to end after SIGTERM, before SIGKILL (default: 1000)',
      wholeNumber,
    )
    .addHelpText('after', HELP)
    .action(run);
}

/** Alone: with our value, and not at all if we have none. */
function variable(text: string, before: Record<string, string>): Record<string, string> {
  const end = text.indexOf('=');
  const name = end < 0 ? text : text.slice(0, end);
  const value = end < 0 ? process.env[name] : text.slice(end + 1);
  if (name === '') throw new InvalidArgumentError('It must be NAME=VALUE, or a NAME alone.');
  return value === undefined ? before : { ...before, [name]: value };
}

function descriptors(text: string, before: number[]): number[] {
  const number = wholeNumber(text);
  if (number < 4 || number > 1_048_575)
    throw new InvalidArgumentError('It must be the number of an open descriptor, from 4 to 1048575.');
  return before.includes(number) ? before : [...before, number];
}
