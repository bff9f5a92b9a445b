/**
 * A stream of bytes to frames: splits at the byte 0x0A and at nothing else, and refuses a frame over the limit as
 * soon as it is known to be over it. Knows nothing of what is in a frame.
 */
import { ProtocolViolation } from './protocol.js';

const NEWLINE = 0x0a;
const FIRST_CAPACITY = 4096;

export class FrameSplitter {
  readonly #maxFrameBytes: number;
  /**
   * A frame whose newline has not come yet. Copied, so that a runner which sends single bytes cannot make the host
   * hold one read buffer for each.
   */
  #partial: Buffer = Buffer.alloc(0);
  #partialBytes = 0;

  /** `maxFrameBytes`: the longest frame, without its newline. */
  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  /**
   * Calls `onFrame` for every frame that `chunk` completes, in order, without its newline, until it returns false; and `onPart` for
   * what is there of one that it does not complete. Either is only valid during the call. Throws ProtocolViolation for a
   * frame over the limit.
   */
  push(
    chunk: Buffer,
    onFrame: (frame: Buffer) => boolean,
    onPart: (frameSoFar: Buffer) => void = () => {},
  ): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      let frame = chunk.subarray(start, end);
      this.#refuseOverlong(frame.length);
      if (this.#partialBytes > 0) {
        this.#append(frame);
        frame = this.#partial.subarray(0, this.#partialBytes);
        this.#partialBytes = 0;
      }
      start = end + 1;
      if (!onFrame(frame)) return;
    }
    if (start === chunk.length) return;
    const rest = chunk.subarray(start);
    this.#refuseOverlong(rest.length);
    this.#append(rest);
    onPart(this.#partial.subarray(0, this.#partialBytes));
  }

  /** Bytes of a frame that has begun and not ended. */
  get pendingBytes(): number {
    return this.#partialBytes;
  }

  #append(bytes: Buffer): void {
    const needed = this.#partialBytes + bytes.length;
    if (needed > this.#partial.length) {
      const grown = Buffer.allocUnsafe(Math.max(FIRST_CAPACITY, this.#partial.length * 2, needed));
      this.#partial.copy(grown, 0, 0, this.#partialBytes);
      this.#partial = grown;
    }
    bytes.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = needed;
  }

  #refuseOverlong(moreBytes: number): void {
    if (this.#partialBytes + moreBytes > this.#maxFrameBytes) {
      throw new ProtocolViolation(`a frame is longer than ${this.#maxFrameBytes} bytes`);
    }
  }
}
