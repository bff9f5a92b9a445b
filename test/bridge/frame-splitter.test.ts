import assert from 'node:assert/strict';
import { FrameSplitter } from '../../src/bridge/frame-splitter.js';

function split(splitter: FrameSplitter, ...chunks: (string | Buffer)[]): string[] {
  const frames: string[] = [];
  for (const chunk of chunks) {
    splitter.push(Buffer.from(chunk as string), (frame) => frames.push(frame.toString()) > 0);
  }
  return frames;
}

describe('bridge: frame splitter', () => {
  it('gives several frames of one chunk in order', () => {
    assert.deepEqual(split(new FrameSplitter(100), 'a\nbc\n\nd\n'), ['a', 'bc', '', 'd']);
  });

  it('joins a frame from single bytes, a four-byte character included', () => {
    const bytes = [...Buffer.from('{"a":"😀"}\n')].map((byte) => Buffer.from([byte]));
    assert.deepEqual(split(new FrameSplitter(100), ...bytes), ['{"a":"😀"}']);
  });

  it('does not split at a carriage return, U+2028, U+2029 or U+0085', () => {
    assert.deepEqual(split(new FrameSplitter(100), 'a\rb\u2028c\u2029d\u0085e\n'), [
      'a\rb\u2028c\u2029d\u0085e',
    ]);
  });

  it('accepts a frame of exactly the limit and refuses one byte more', () => {
    assert.deepEqual(split(new FrameSplitter(4), 'abcd\n'), ['abcd']);
    assert.throws(() => split(new FrameSplitter(4), 'abcde\n'), /longer than 4 bytes/);
  });

  it('counts the limit over chunks', () => {
    assert.deepEqual(split(new FrameSplitter(4), 'ab', 'cd', '\n'), ['abcd']);
    assert.throws(() => split(new FrameSplitter(4), 'ab', 'cde\n'), /longer than 4 bytes/);
  });

  it('refuses an overlong frame before its newline comes', () => {
    assert.throws(() => split(new FrameSplitter(4), 'ab', 'cde'), /longer than 4 bytes/);
  });

  it('counts each frame anew', () => {
    assert.deepEqual(split(new FrameSplitter(4), 'ab', 'cd\nef', 'gh\n'), ['abcd', 'efgh']);
  });

  it('stops when it is told to', () => {
    let frames = 0;
    new FrameSplitter(100).push(Buffer.from('a\nb\nc\n'), () => ++frames < 2);
    assert.equal(frames, 2);
  });

  it('says how much of a frame is pending', () => {
    const splitter = new FrameSplitter(100);
    split(splitter, 'a\nbc');
    assert.equal(splitter.pendingBytes, 2);
    split(splitter, '\n');
    assert.equal(splitter.pendingBytes, 0);
  });
});
