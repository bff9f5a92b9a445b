/**
 * What is done about errors of our own stdout and stderr. Using them makes pipes non-blocking, for everybody who has them: a command
 * that is to inherit them must find them untouched.
 */
import { EXIT_OURS } from './exit-codes.js';

let isGuarded = false;

/** For what is printed: a reader that has seen enough is no failure; anything else is, and is said. */
export function guardStandardStreams(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // As in `| head`.
    if (error.code === 'EPIPE') return;
    process.stderr.write(`wardenpool: stdout cannot be written: ${error.message}\n`);
    // After whatever the command itself says.
    process.once('exit', () => {
      process.exitCode = EXIT_OURS;
    });
  });
  // There is nowhere left to say it; the result is on stdout all the same.
  process.stderr.on('error', () => {});
}
