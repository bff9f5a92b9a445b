// How a stream is cut into chunks is invisible behind the host's FrameSplitter.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FrameSplitter } from '../../src/bridge/frame-splitter.js';
import { ProtocolViolation } from '../../src/bridge/protocol.js';
import { parameters } from './parameters.js';

const LIMIT = 40;

/** Bytes in which newlines are common, and frames of about the limit too. */
const stream = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constant(0x0a), weight: 1 },
      { arbitrary: fc.integer({ min: 0, max: 255 }), weight: 25 },
    ),
    {
      maxLength: 300,
    },
  )
  .map((bytes) => Buffer.from(bytes));

const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 40 });

interface Heard {
  frames: string[];
  pending: number;
  refused: boolean;
}

function hear(chunks: Buffer[]): Heard {
  const splitter = new FrameSplitter(LIMIT);
  const frames: string[] = [];
  try {
    for (const chunk of chunks) {
      // A chunk of its own, overwritten afterwards: a splitter must not look at it later.
      const copy = Buffer.from(chunk);
      splitter.push(copy, (frame) => frames.push(frame.toString('hex')) > 0);
      copy.fill(0x0a);
    }
  } catch (error) {
    assert.ok(error instanceof ProtocolViolation);
    return { frames, pending: 0, refused: true };
  }
  return { frames, pending: splitter.pendingBytes, refused: false };
}

/** What the rule says, without a splitter. */
function expected(bytes: Buffer): Heard {
  const parts = bytes.toString('latin1').split('\n');
  const tooLong = parts.findIndex((part) => part.length > LIMIT);
  const whole = parts.slice(0, tooLong === -1 ? -1 : tooLong);
  return {
    frames: whole.map((part) => Buffer.from(part, 'latin1').toString('hex')),
    pending: tooLong === -1 ? (parts.at(-1)?.length ?? 0) : 0,
    refused: tooLong !== -1,
  };
}

function cut(bytes: Buffer, lengths: number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length] ?? 1;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

describe('properties: frames of the host', () => {
  it('are the same however the stream was cut', () => {
    fc.assert(
      fc.property(stream, sizes, (bytes, lengths) => {
        assert.deepEqual(hear(cut(bytes, lengths)), expected(bytes));
      }),
      parameters(1500),
    );
  });
});
