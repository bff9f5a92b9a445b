/** Arguments of `wardenpool policy`. Must not know what its commands do. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CompileOptions, EvaluateOptions } from './policy.js';
import { guardStandardStreams } from './standard-streams.js';

/** A command's temp is no place of the host: by default, a path that no rule of a policy reaches by accident. */
export const NO_TEMP = join(tmpdir(), 'wardenpool-temp-of-the-command');

const SOURCE = 'a policy as JSON or as MIR; -: stdin';
const EXIT_CODES = '\nExit code: 0; 125 if there is no answer, and one line that says why.';

/** The compiler of policies is loaded when it is called. */
async function policy() {
  guardStandardStreams();
  return (await import('./policy.js')).policy;
}

export function addPolicyCommands(program: Command): void {
  const commands = program
    .command('policy')
    .description('compile policies, and say what they mean here')
    .addHelpText(
      'after',
      '\nA policy is authority: never take one from a program that it is meant to confine.',
    );

  commands
    .command('compile')
    .description('a policy to its binary form, MIR v3')
    .argument('<file>', SOURCE)
    .option('--output <file>', 'write the bytes there; -: to stdout, as by default')
    .option('--hex', 'lower-case hexadecimal digits and a newline instead of bytes', false)
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string, options: CompileOptions) => (await policy()).compile(file, options));

  commands
    .command('hash')
    .description('the digest of a policy, which is its identity: SHA-256 of its binary form')
    .argument('<file>', SOURCE)
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string) => (await policy()).hash(file));

  commands
    .command('inspect')
    .description(
      'a policy in canonical form, as JSON: rules sorted and merged, paths normalised, defaults filled in',
    )
    .argument('<file>', SOURCE)
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string) => (await policy()).inspect(file));

  commands
    .command('evaluate')
    .description('what each path has under a policy, resolved on this machine, and why')
    .argument('<file>', SOURCE)
    .argument(
      '<path...>',
      'paths of the host, not of the sandbox, links and all; relative ones are of the workspace',
    )
    .option('--workspace <dir>', 'the workspace (default: the current directory)')
    .option(
      '--temp <dir>',
      `where the command's temp is thought to be; never looked up (default: ${NO_TEMP})`,
    )
    .option('--json', 'as JSON', false)
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string, paths: string[], options: EvaluateOptions) =>
      (await policy()).evaluate(file, paths, options),
    );
}
