#!/usr/bin/env node
/** The command line `wardenpool`: says which commands there are, and hands over. Must not know what they do. */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import type { DoctorOptions } from './doctor.js';
import type { ExecOptions } from './exec.js';
import { EXIT_OURS } from './exit-codes.js';
import { receiptFile, wholeCount, wholeMilliseconds } from './option-values.js';
import { addPolicyCommands } from './policy-commands.js';
import { rawArguments } from './raw-arguments.js';
import { addRunCommand } from './run-command.js';
import type { RunOptions } from './run-options.js';
import { guardStandardStreams } from './standard-streams.js';
import { oneLine } from './terminal-text.js';
import { usageError } from './usage-errors.js';

// What a command needs is loaded when it is called: most of the time that we take to start is the loading of modules.

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

const program = new Command('wardenpool')
  .description('Runs programs that a model wrote, and any other command, each in a sandbox of its own.')
  .version(version)
  .exitOverride()
  .enablePositionalOptions()
  .configureOutput({
    writeOut: (text) => {
      guardStandardStreams();
      process.stdout.write(text);
    },
    writeErr: (text) => {
      guardStandardStreams();
      process.stderr.write(text);
    },
    outputError: (text, write) => write(usageError(text)),
  })
  .showHelpAfterError('(wardenpool --help says more)');

program
  .command('exec')
  .description('run one program; its result goes to stdout as JSON, its logs to stderr')
  .argument('[file]', 'the program; - or nothing: stdin', '-')
  .option('--tools <module>', 'a module whose default export, or whose exports, are the tools')
  .option('--timeout-ms <n>', 'wall time of the program, tools included', wholeMilliseconds)
  .option('--json', 'print everything about the run, not only its value', false)
  .option('--receipt <file>', 'write the receipt of the sandbox there, as JSON', receiptFile)
  .addHelpText('after', '\nExit code: 0; 1 if the program failed; 125 if it could not be run.')
  .action(async (file: string, options: ExecOptions) => {
    guardStandardStreams();
    const { exec } = await import('./exec.js');
    process.exitCode = await exec(file, options);
  });

addRunCommand(program, async (command, options) => {
  const { run } = await import('./run.js');
  process.exitCode = await run(command, options as RunOptions);
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
    guardStandardStreams();
    const { doctor } = await import('./doctor.js');
    process.exitCode = await doctor(options);
  });

addPolicyCommands(program);

for (const command of program.commands) {
  command.showHelpAfterError(`(wardenpool ${command.name()} --help says more)`);
  for (const own of command.commands) {
    own.showHelpAfterError(`(wardenpool ${command.name()} ${own.name()} --help says more)`);
  }
}

try {
  await program.parseAsync(rawArguments(), { from: 'user' });
} catch (error) {
  if (error instanceof CommanderError) {
    // commander has said what is wrong; --help and --version end here too, with 0.
    // Without any command it shows the help alone.
    if (error.code === 'commander.help')
      process.stderr.write('wardenpool: no command was given: name one of those above\n');
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_OURS;
  } else {
    guardStandardStreams();
    process.stderr.write(`wardenpool: ${oneLine(error instanceof Error ? error.message : String(error))}\n`);
    process.exitCode = EXIT_OURS;
  }
}
