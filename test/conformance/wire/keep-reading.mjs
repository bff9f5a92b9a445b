// For a host whose end of the bridge is a socket of Node.js. Knows no frames.

/**
 * Has no write fail: Node.js closes a socket when one does, and loses what lies in it unread. A runner that has exited leaves
 * unread what it is sent, and its terminal frame may lie there.
 * @param {import('node:net').Socket} socket
 */
export function keepReading(socket) {
  const { _write: write, _writev: writev } = socket;
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, () => done());
  if (writev) socket._writev = (chunks, done) => writev.call(socket, chunks, () => done());
}
