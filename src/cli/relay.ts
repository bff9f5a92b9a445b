/**
 * Opaque bytes between our standard streams and a command: stdin and stdout are its protocol, stderr gets its diagnostics. Nothing is
 * taken that cannot be passed on, and nothing is kept. Must not know what the bytes mean.
 */
import type { Duplex, Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

export interface Ends {
  protocol: Duplex;
  stderr: Readable;
}

/** The end of stdin ends `protocol` in that direction alone. Resolves when everything that the command sent has been passed on. */
export async function relay(ends: Ends): Promise<void> {
  process.stdin.on('error', (error) => {
    process.stderr.write(`wardenpool: stdin cannot be read: ${error.message}\n`);
    ends.protocol.end();
  });
  ends.protocol.on('error', () => {}); // it has none but that with which it is destroyed
  process.stdin.pipe(ends.protocol);
  try {
    const [output] = await Promise.all([
      passOn(ends.protocol, process.stdout).catch((error: NodeJS.ErrnoException) => error),
      // Diagnostics that nobody reads are for nobody.
      passOn(ends.stderr, process.stderr).catch(() => {}),
    ]);
    // A reader that has seen enough is no failure. The command's next write has failed, as that to a pipe would.
    if (output !== undefined && output.code !== 'EPIPE')
      throw new Error(`stdout cannot be written: ${output.message}`);
  } finally {
    process.stdin.unpipe();
    process.stdin.pause();
    // Not destroyed: it would be closed, and stay non-blocking for whoever has it besides.
    if ('unref' in process.stdin) process.stdin.unref();
  }
}

/** Resolves when the end of `from` has been written. A failure to write destroys `from`. By pipe(): an iterator has half its rate. */
async function passOn(from: Readable, to: Writable): Promise<void> {
  let failure: Error | null | undefined;
  to.on('error', (error) => {
    failure ??= error;
    from.destroy();
  });
  from.pipe(to, { end: false });
  await finished(from, { writable: false }).catch(() => {}); // destroyed, and so it has ended
  if (failure === undefined)
    await new Promise<void>((resolve) => {
      to.write('', (error) => {
        failure ??= error;
        resolve();
      });
    });
  if (failure) throw failure;
}
