/**
 * Opaque bytes between our standard streams and a command: stdin and stdout are its protocol, stderr gets its diagnostics. Nothing is
 * taken that cannot be passed on, and nothing is kept. Must not know what the bytes mean.
 */
import type { Duplex, Readable, Writable } from 'node:stream';

export interface Ends {
  protocol: Duplex;
  stderr: Readable;
}

/** The end of stdin ends `protocol` in that direction alone. Resolves when everything that the command sent has been passed on. */
export async function relay(ends: Ends): Promise<void> {
  process.stdout.on('error', () => {}); // each write says it too
  process.stderr.on('error', () => {});
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

/** One chunk after the other, so that a reader that is slow slows the writer down. A failure to write destroys `from`; its end does not. */
async function passOn(from: Readable, to: Writable): Promise<void> {
  try {
    for await (const chunk of from.iterator({ destroyOnReturn: false }))
      await new Promise<void>((resolve, reject) => {
        to.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
  } catch (error) {
    from.destroy();
    throw error;
  }
}
