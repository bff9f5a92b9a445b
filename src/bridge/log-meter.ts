/**
 * Bounds the console output of one execution on the host's side, whatever the runner does. Knows log frames; knows
 * nothing of the rest of a session.
 */
import { type LogFrame, ProtocolViolation } from './protocol.js';

/** Entries kept of one execution. `maxLogBytes` bounds their text, and would not bound empty lines. */
export const MAX_LOG_ENTRIES = 10_000;

/** Text kept, in bytes, from a runner that was given no `maxLogBytes`. */
export const DEFAULT_LOG_BYTES = 65_536;

export class LogMeter {
  #bytes = 0;
  #entries = 0;
  #lastSeq = -1;
  #runnerTruncated = false;
  #hostTruncated = false;

  /** True once the runner or this meter has left something out. */
  get truncated(): boolean {
    return this.#runnerTruncated || this.#hostTruncated;
  }

  /**
   * True when the entry is to be kept. Throws ProtocolViolation when the runner goes over what it agreed to.
   * `agreedBytes`: `maxLogBytes` as agreed with the runner, if it was.
   */
  admit(frame: LogFrame, agreedBytes: number | undefined): boolean {
    if (frame.seq <= this.#lastSeq) throw new ProtocolViolation('seq of a log frame does not increase');
    if (this.#runnerTruncated) throw new ProtocolViolation('a log frame followed the truncated one');
    this.#lastSeq = frame.seq;
    this.#runnerTruncated = frame.truncated;
    this.#bytes += Buffer.byteLength(frame.text);
    if (agreedBytes !== undefined && this.#bytes > agreedBytes) {
      throw new ProtocolViolation(`console output is over the limit of ${agreedBytes} bytes`);
    }
    // A frame that only says "truncated" is no line of the program's.
    if (frame.truncated && frame.text === '') return false;
    if (this.#entries >= MAX_LOG_ENTRIES || this.#bytes > (agreedBytes ?? DEFAULT_LOG_BYTES)) {
      this.#hostTruncated = true;
      return false;
    }
    this.#entries++;
    return true;
  }
}
