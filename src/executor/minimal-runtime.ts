/** What the rule root `minimal-runtime` stands for on Linux. Must not know policies, nor which of it a machine has. */

/** Programs, libraries, and what the loader and the links of distributions need to find them. Absolute paths; links among them. */
export const MINIMAL_RUNTIME: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc/alternatives',
  '/etc/ld.so.cache',
];
