// The kinds of sanitized builds that suites are run against.

/** @typedef {import('./sanitized-checkout.mjs').SanitizedVariant} SanitizedVariant */

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
  flags: trapping,
  addon: trapping,
  executable: ['-static-pie', '-Wl,-z,relro', '-Wl,-z,now', '-Wl,-z,noexecstack', '-Wl,--gc-sections'],
  sources: [],
};

/** Functions that native/sanitized/address.c takes the places of. */
const wrapped = [
  'build_filters',
  'build_command_filter',
  'install_filter',
  'setrlimit',
  'madvise',
  'runner_engine_version',
  'runner_rehearse',
];

/**
 * The address sanitizer, and undefined behaviour with a report. Its library needs system calls and memory that a sandbox does
 * not have: these sandboxes have no filter, and say so.
 * @type {SanitizedVariant}
 */
export const address = {
  name: 'address',
  flags: [
    '-DWARDENPOOL_SANITIZED=1',
    '-fsanitize=address,undefined',
    '-fno-sanitize=vptr',
    '-fno-sanitize-recover=all',
    '-fno-omit-frame-pointer',
  ],
  // Node itself has no address sanitizer.
  addon: trapping,
  executable: ['-pie', '-Wl,--gc-sections', ...wrapped.map((name) => `-Wl,--wrap=${name}`)],
  sources: ['native/sanitized/address.c'],
};
