/** Bytes to frames and back, by the transport rules of code-bridge-v1 and by nothing else. */
import { type JsonValue, parseStrictJson } from './strict-json.js';

export const VERSION = 'code-bridge-v1';

/** The frame limit of a peer that was given none, bytes. */
export const DEFAULT_FRAME_BYTES = 1_048_576;

export type Members = { [key: string]: JsonValue };

/** A frame as bytes: its newline included. Members that are `undefined` are left out. */
export function encodeFrame(members: Record<string, unknown>): Buffer {
  return Buffer.from(`${JSON.stringify(members)}\n`);
}

/** One frame, without its newline, to its members. Throws an error that says what is wrong with "it". */
export function parseFrame(bytes: Buffer, maxFrameBytes: number): Members {
  if (bytes.length > maxFrameBytes) {
    throw new Error(`it has ${bytes.length} bytes; the frame limit is ${maxFrameBytes}`);
  }
  if (bytes.includes(0)) throw new Error('it has a NUL byte');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8');
  }
  const value = parseStrictJson(text);
  if (!isMembers(value)) throw new Error('it is not a JSON object');
  return value;
}

export function isMembers(value: JsonValue | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Splits a stream at the byte 0x0A, and at that byte alone. */
export class FrameSplitter {
  #chunks: Buffer[] = [];

  /** The frames that `chunk` completes, without their newlines. */
  push(chunk: Buffer): Buffer[] {
    const frames: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      this.#chunks.push(chunk.subarray(start, end));
      frames.push(Buffer.concat(this.#chunks));
      this.#chunks = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#chunks.push(chunk.subarray(start));
    return frames;
  }

  /** What came behind the last newline. */
  get rest(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
