/** The features that code-bridge-v1 knows. */
export const FEATURES = [
  'parallel-tools',
  'console',
  'limits',
  'undefined',
  'tool-paths',
  'timers',
  'errors',
  'web',
  'seed',
] as const;
