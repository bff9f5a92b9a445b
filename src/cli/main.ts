#!/usr/bin/env node
/** The command line `wardenpool`: says which commands there are, and hands over. Must not know what they do. */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { type DoctorOptions, doctor } from './doctor.js';
import { EXIT_OURS, type ExecOptions, exec } from './exec.js';
import { wholeCount, wholeMilliseconds } from './option-values.js';
import { addPolicyCommands } from './policy-commands.js';
import { visible } from './terminal-text.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

const program = new Command('wardenpool')
  .description('Runs programs that a model wrote, each in a sandboxed process of its own.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(wardenpool --help says more)');

program
  .command('exec')
  .description('run one program; its result goes to stdout as JSON, its logs to stderr')
  .argument('[file]', 'the program; - or nothing: stdin', '-')
  .option('--tools <module>', 'a module whose default export, or whose exports, are the tools')
  .option('--timeout-ms <n>', 'wall time of the program, tools included', wholeMilliseconds)
  .option('--json', 'print everything about the run, not only its value', false)
  .option('--receipt <file>', 'write the receipt of the sandbox there, as JSON')
  .addHelpText('after', '\nExit code: 0; 1 if the program failed; 125 if it could not be run.')
  .action(async (file: string, options: ExecOptions) => {
    process.exitCode = await exec(file, options);
  });

program
  .command('doctor')
  .description('say what this machine can do, why not, and what would change it')
  .option('--json', 'as JSON', false)
  .option(
    '--concurrency <n>',
    'runs at once that it must be enough for (default: those of a pool)',
    wholeCount,
  )
  .addHelpText('after', '\nExit code: 0; 1 if no backend can run programs here.')
  .action(async (options: DoctorOptions) => {
    process.exitCode = await doctor(options);
  });

addPolicyCommands(program);

for (const command of program.commands) {
  command.showHelpAfterError(`(wardenpool ${command.name()} --help says more)`);
  for (const own of command.commands) {
    own.showHelpAfterError(`(wardenpool ${command.name()} ${own.name()} --help says more)`);
  }
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, as in `| head`, is no failure.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`wardenpool: stdout cannot be written: ${error.message}\n`);
  // After whatever the command itself says.
  process.once('exit', () => {
    process.exitCode = EXIT_OURS;
  });
});
// There is nowhere left to say it; the result is on stdout all the same.
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // commander has said what is wrong; --help and --version end here too, with 0.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_OURS;
  } else {
    process.stderr.write(`wardenpool: ${visible(error instanceof Error ? error.message : String(error))}\n`);
    process.exitCode = EXIT_OURS;
  }
}
