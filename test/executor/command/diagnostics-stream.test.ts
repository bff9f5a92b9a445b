import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DiagnosticsStream } from '../../../src/executor/command/protocol.js';

describe('the stream of diagnostics', () => {
  it('keeps what nobody reads in one piece, however small the pieces in which it came', async () => {
    const stream = new DiagnosticsStream();
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    for (let index = 0; index < bytes.length; index++) stream.received(bytes.subarray(index, index + 1));
    stream.outputEnded();
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    await once(stream, 'end');
    assert.deepEqual(Buffer.concat(pieces), bytes);
    assert.ok(pieces.length <= 3, `${pieces.length} pieces`);
  });

  it('holds nothing once it is destroyed', () => {
    const stream = new DiagnosticsStream();
    stream.received(Buffer.from('kept'));
    stream.destroy();
    stream.received(Buffer.from('dropped'));
    stream.outputEnded();
    assert.equal(stream.read(), null);
  });
});
