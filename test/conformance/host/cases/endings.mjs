// A runner that ends in ways that leave no result: the host must not say ok, and must not wait for ever.
import { notOk, section } from '../case.mjs';

export const endings = section('host: a runner that ends', (add) => {
  for (const code of [0, 1, 2]) {
    add(`before ready, with exit code ${code}`, notOk, async (peer) => {
      await peer.execute();
      process.exit(code);
    });

    add(`without a terminal frame, with exit code ${code}`, notOk, async (peer) => {
      await peer.ready();
      process.exit(code);
    });
  }

  add('before it reads execute', notOk, async () => {
    process.exit(2);
  });

  add('without a terminal frame, while a call is open', notOk, async (peer) => {
    await peer.ready();
    peer.say(peer.callFrame());
    process.exit(0);
  });

  add('killed', notOk, async (peer) => {
    await peer.ready();
    process.kill(process.pid, 'SIGKILL');
    await peer.pause(10_000);
  });

  add('in the middle of its terminal frame', notOk, async (peer) => {
    await peer.ready();
    const text = peer.text(await peer.terminalFrame(1));
    peer.write(text.slice(0, -10));
  });

  add('before the newline of its terminal frame: a partial write is no frame', notOk, async (peer) => {
    await peer.ready();
    const text = peer.text(await peer.terminalFrame(1));
    peer.write(text.slice(0, -1));
  });

  add('before the newline of ready', notOk, async (peer) => {
    const text = peer.text(await peer.readyFrame());
    peer.write(text.slice(0, -1));
  });

  add('having closed only its half, and staying: the host does not wait for ever', notOk, async (peer) => {
    await peer.ready();
    peer.closeHalf();
    await peer.ended();
  });
});
