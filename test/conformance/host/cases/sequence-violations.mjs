// A runner whose frames are good, and come when they must not: the host must not say ok.
import { notOk, section } from '../case.mjs';

const order = section('host: order of frames', (add) => {
  add('no ready at all before a result', notOk, async (peer) => {
    await peer.finish(1);
  });

  add('ready twice', notOk, async (peer) => {
    await peer.ready();
    await peer.ready();
    await peer.finish(1);
  });

  add('a tool.call before ready', notOk, async (peer) => {
    await peer.execute();
    peer.say(peer.callFrame());
    await peer.ready();
    await peer.finish(1);
  });

  add('a log without the feature console', notOk, async (peer) => {
    await peer.ready();
    peer.say({ type: 'log', level: 'log', text: 'x', seq: 0 });
    await peer.finish(1);
  });

  add('two terminal frames in one write', notOk, async (peer) => {
    await peer.ready();
    peer.write(peer.text(await peer.terminalFrame(1)).repeat(2));
  });

  for (const [
    name,
    frame,
  ] of /** @type {[string, (peer: import('../peer.mjs').Peer) => Promise<object>][]} */ ([
    ['a second terminal frame', (peer) => peer.terminalFrame(2)],
    [
      'a terminal frame that fails',
      (peer) => peer.terminalFrame(undefined, { ok: false, error: { kind: 'memory', message: 'm' } }),
    ],
    ['a tool.call', async (peer) => peer.callFrame()],
    ['ready', (peer) => peer.readyFrame()],
  ])) {
    add(`after the terminal frame: ${name}, some time later`, notOk, async (peer) => {
      await peer.ready();
      peer.say(await peer.terminalFrame(1));
      await peer.pause(60);
      peer.say({ ...(await frame(peer)) });
    });
  }

  add('after the terminal frame: bytes that are no frame', notOk, async (peer) => {
    await peer.ready();
    peer.write(`${peer.text(await peer.terminalFrame(1))}x`);
  });
});

const ids = section('host: ids and quotas', (add) => {
  /** @param {number[]} all */
  const callsWith =
    (...all) =>
    /** @param {import('../peer.mjs').Peer} peer */
    async (peer) => {
      await peer.ready();
      for (const id of all) {
        peer.say(peer.callFrame({ id }));
        await peer.hear();
      }
      await peer.finish(1);
    };
  add('a gap in the ids', notOk, callsWith(1, 3));
  add('the same id twice', notOk, callsWith(1, 1));
  add('ids that go backward', notOk, callsWith(1, 2, 1));

  add('a call over the quota', notOk, async (peer) => {
    const { effectiveLimits } = await peer.readyFrame();
    await peer.ready({ effectiveLimits: { ...effectiveLimits, maxToolCalls: 1 } });
    await peer.call();
    peer.say(peer.callFrame());
    await peer.finish(1);
  });

  add('a call under a quota of 0', notOk, async (peer) => {
    const { effectiveLimits } = await peer.readyFrame();
    await peer.ready({ effectiveLimits: { ...effectiveLimits, maxToolCalls: 0 } });
    peer.say(peer.callFrame());
    await peer.finish(1);
  });

  add('two outstanding calls without parallel-tools', notOk, async (peer) => {
    await peer.ready();
    peer.write(peer.text(peer.callFrame()) + peer.text(peer.callFrame()));
    await peer.pause(50);
    await peer.finish(1);
  });

  add('metrics.toolCalls below the calls that were made', notOk, async (peer) => {
    await peer.ready();
    await peer.call();
    await peer.finish(1, { metrics: { elapsedMs: 1, toolCalls: 0 } });
  });

  add('an error of kind limit that does not describe the quota', notOk, async (peer) => {
    const { limits } = await peer.ready();
    const limit = limits.maxToolCalls;
    await peer.fail({ kind: 'limit', message: 'm', code: 'TOO_MANY', limit, attempted: limit + 1 });
  });
});

const bounds = section('host: bounds', (add) => {
  add('a runner that never reads its results: 9 undelivered frames are too many', notOk, async (peer) => {
    await peer.ready();
    peer.stopHearing();
    // Each is answered before the next, as far as the host can tell; the answers stay in the host.
    for (let i = 0; i < 16; i++) {
      peer.say(peer.callFrame({ arguments: { text: 'x'.repeat(300_000) } }));
      await peer.pause(30);
    }
    await peer.finish(1);
  });
});

export const sequenceViolations = [...order, ...ids, ...bounds];
