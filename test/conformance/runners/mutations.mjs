// Runners that break one sentence of the contract each: what a relay in front of a good runner does to what passes
// through it. They show that the suite would notice.

/** @typedef {Record<string, any>} Frame */
/**
 * @typedef {object} Mutation
 * @property {(bytes: string) => string} [input] To the bytes of the host, as Latin-1, chunk by chunk.
 * @property {(frame: Frame) => (Frame | string)[]} [output] A frame of the runner to what is sent instead.
 * @property {string} [trailer] Bytes behind the last frame.
 * @property {(code: number) => number} [exitCode]
 * @property {boolean} [deaf] Signals are not passed on.
 */

const isTerminal = (/** @type {Frame} */ frame) => frame['type'] === 'execution.result';

/**
 * Frames of one type only.
 * @param {string} type
 * @param {(frame: Frame) => (Frame | string)[]} change
 * @returns {(frame: Frame) => (Frame | string)[]}
 */
const only = (type, change) => (frame) => (frame['type'] === type ? change(frame) : [frame]);

/** @type {Record<string, Mutation>} */
export const mutations = {
  none: {},
  // A runner of the bare base. The keys have the same length, so that frames do.
  'base-only': { input: (bytes) => bytes.replaceAll('"features":', '"withheld":') },

  'two-terminal-frames': { output: only('execution.result', (frame) => [frame, frame]) },
  'log-after-terminal': {
    output: only('execution.result', (frame) => [
      frame,
      { version: frame['version'], type: 'log', level: 'log', text: 'late', seq: 9 },
    ]),
  },
  'lost-terminal-frame': { output: (frame) => (isTerminal(frame) ? [] : [frame]) },
  'partial-frame': { trailer: '{"version":' },
  'no-ready': { output: only('ready', () => []) },
  'ready-twice': { output: only('ready', (frame) => [frame, frame]) },
  'another-execution-id': { output: only('ready', (frame) => [{ ...frame, executionId: 'someone-else' }]) },
  'larger-limits': {
    output: only('ready', (frame) => [
      { ...frame, effectiveLimits: { ...frame['effectiveLimits'], timeoutMs: 30_000_001 } },
    ]),
  },
  'unasked-feature': { output: only('ready', (frame) => [{ ...frame, features: ['console'] }]) },
  'ids-from-two': { output: only('tool.call', (frame) => [{ ...frame, id: frame['id'] + 1 }]) },
  'duplicate-key': {
    output: only('execution.result', (frame) => [JSON.stringify(frame).replace('"ok":', '"ok":false,"ok":')]),
  },
  'nul-byte': { output: (frame) => [`${JSON.stringify(frame)}\0`] },
  'another-version': { output: (frame) => [{ ...frame, version: 'code-bridge-v2' }] },
  'no-metrics': { output: only('execution.result', ({ metrics: _, ...frame }) => [frame]) },
  'result-left-out': { output: only('execution.result', ({ result: _, ...frame }) => [frame]) },
  'one-kind-for-all': {
    output: only('execution.result', (frame) =>
      frame['ok'] ? [frame] : [{ ...frame, error: { ...frame['error'], kind: 'javascript' } }],
    ),
  },
  'undescribed-quota': {
    output: only('execution.result', ({ error: { attempted: _, ...error } = {}, ...frame }) => [
      frame['ok'] ? frame : { ...frame, error },
    ]),
  },
  'lines-of-unicode': { input: (bytes) => bytes.replaceAll('\xe2\x80\xa8', '\n') },
  'one-exit-code': { exitCode: () => 0 },
  'exit-code-of-the-program': { exitCode: (code) => code + 1 },
  'deaf-to-signals': { deaf: true },
};
