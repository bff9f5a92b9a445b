// The kinds of sanitized builds that suites are run against.

/**
 * @typedef {object} SanitizedVariant
 * @property {string} name            of its folder
 * @property {string} label           what the engine's version ends with, in receipts too
 * @property {string[]} flags         of the C compiler
 * @property {string[]} addon         of the C++ compiler, for the addon, which Node loads
 * @property {string[]} executable    of the linker, for executables
 * @property {string} source          C file that every executable with an engine has besides
 * @property {string[]} wrapped       functions that it takes the places of
 */

/** Undefined behaviour ends the process by an illegal instruction: this needs no library. */
const trapping = [
  '-fsanitize=undefined,float-cast-overflow',
  '-fno-sanitize=vptr',
  '-fsanitize-undefined-trap-on-error',
  '-fno-omit-frame-pointer',
];

/**
 * Undefined behaviour alone: everything is static, filtered and confined as it is when it is shipped.
 * @type {SanitizedVariant}
 */
export const undefinedBehaviour = {
  name: 'undefined',
  label: 'undefined behaviour traps',
  flags: trapping,
  addon: trapping,
  executable: ['-static-pie', '-Wl,-z,relro', '-Wl,-z,now', '-Wl,-z,noexecstack', '-Wl,--gc-sections'],
  source: 'native/sanitized/undefined.c',
  wrapped: ['runner_engine_version'],
};

/**
 * The address sanitizer, and undefined behaviour with a report. Its library needs system calls and memory that a sandbox does
 * not have: these sandboxes have no filter, and say so.
 * @type {SanitizedVariant}
 */
export const address = {
  name: 'address',
  label: 'address sanitizer, no filter',
  flags: [
    '-DWARDENPOOL_SANITIZED=1',
    '-fsanitize=address,undefined',
    '-fno-sanitize=vptr',
    '-fno-sanitize-recover=all',
    '-fno-omit-frame-pointer',
  ],
  // Node itself has no address sanitizer.
  addon: trapping,
  executable: ['-pie', '-Wl,--gc-sections'],
  source: 'native/sanitized/address.c',
  wrapped: [
    'boundary_set_stack',
    'build_filters',
    'build_command_filter',
    'install_filter',
    'setrlimit',
    'madvise',
    'runner_engine_version',
    'runner_rehearse',
  ],
};
