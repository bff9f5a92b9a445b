// What a case for hosts is made of. Read by the suite, which judges, and by the scripted runner, which plays.

/** @typedef {import('./peer.mjs').Peer} Peer */
/**
 * @typedef {object} Expected What the host must print.
 * @property {boolean} ok
 * @property {unknown} [value] Of a result.
 * @property {string} [kind] Of a failure; absent: whatever the host says.
 * @property {string} [message]
 */
/**
 * @typedef {object} HostCase
 * @property {string} section
 * @property {string} name
 * @property {(peer: Peer) => Promise<unknown>} play The runner's part. The process exits with 0 when it returns.
 * @property {Expected} expected
 * @property {string} program The text on the host's standard input.
 * @property {boolean} stopped Whether the host is sent SIGTERM once the runner has heard `execute`.
 */
/** @typedef {HostCase['play']} Play */

/**
 * @param {string} section
 * @param {(add: (name: string, expected: Expected, play: Play, more?: Partial<HostCase>) => void) => void} define
 */
export function section(section, define) {
  /** @type {HostCase[]} */
  const cases = [];
  define((name, expected, play, more) => {
    cases.push({ section, name, expected, play, program: 'return 1', stopped: false, ...more });
  });
  return cases;
}

/**
 * The host must print this value.
 * @param {unknown} result
 * @returns {Expected}
 */
export const value = (result) => ({ ok: true, value: result });

/**
 * The host must print this failure.
 * @param {string} kind
 * @param {string} message
 * @returns {Expected}
 */
export const failure = (kind, message) => ({ ok: false, kind, message });

/**
 * The host may say anything but ok.
 * @type {Expected}
 */
export const notOk = { ok: false };
