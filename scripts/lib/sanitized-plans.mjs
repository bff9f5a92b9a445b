// Which tests are run against which sanitized build, and which of them cannot be, each with the reason.
import { address, undefinedBehaviour } from './sanitized-variants.mjs';

/**
 * @typedef {object} Plan
 * @property {import('./sanitized-variants.mjs').SanitizedVariant} variant
 * @property {string[]} always   files, for CI: they start no executable but those that are shipped
 * @property {string[]} all      folders of test, with --all
 * @property {{ test: string, because: string }[]} exceptions  tests, by part of their titles, that mean nothing with it
 */

const suites = ['native/runner', 'bridge', 'executor', 'pool', 'e2e', 'cli'];

/** @type {Plan[]} */
export const plans = [
  {
    variant: address,
    always: [
      'test/native/runner/**/*.test.ts',
      'test/executor/executor.test.ts',
      'test/executor/sanitizer-label.test.ts',
    ],
    all: suites,
    exceptions: [
      ...['namespaces', 'seccomp'].map((backend) => ({
        test: `executor, on ${backend} gives a receipt of what the kernel said`,
        because: 'the receipt has the digest of a filter, and there is none',
      })),
      {
        test: 'executor: bubblewrap runs a command, and its receipt names bwrap, its version and what is in force',
        because: 'what is in force has a filter, and there is none',
      },
      {
        test: 'executor: bubblewrap installs the filter of the namespaces backend',
        because: 'there is no filter',
      },
      {
        test: 'executor: the receipt of a sandbox that was taken over says violation when it was killed for a system call',
        because: 'no system call is refused without a filter',
      },
      {
        test: 'has an empty environment and no arguments',
        because: 'they are on the stack that exec made, which the sanitizer keeps',
      },
      {
        test: 'has resource limits under which nothing can grow',
        because: 'the library of the sanitizer must be able to map memory',
      },
      {
        test: 'sees the host’s network, which it cannot use',
        because: 'what keeps a sandbox from it is the filter, and there is none',
      },
    ],
  },
  {
    variant: undefinedBehaviour,
    always: ['test/executor/sanitizer-label.test.ts', 'test/executor/command/lifecycle.test.ts'],
    all: [...suites, 'isolation', 'conformance'],
    exceptions: [],
  },
];
