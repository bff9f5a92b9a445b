// A runner that keeps to the contract, in all the ways in which it may: the host must understand each of them.
import { failure, section, value } from '../case.mjs';

const LARGE = 'x'.repeat(500_000);

const results = section('host: results', (add) => {
  for (const result of [1, null, 'é😀\u2028\u2029\u0000', [], { a: [{}] }, 0, false, '']) {
    add(`a result of any JSON value: ${JSON.stringify(result)}`, value(result), async (peer) => {
      await peer.ready();
      await peer.finish(result);
    });
  }

  add('a large terminal frame, and an exit at once: it must not be lost', value(LARGE), async (peer) => {
    await peer.ready();
    await peer.finish(LARGE);
  });

  add('ready and the terminal frame in one write, and an exit at once', value(7), async (peer) => {
    const ready = peer.text(await peer.readyFrame());
    peer.write(ready + peer.text(await peer.terminalFrame(7)));
    process.exit(0);
  });

  add(
    'a call that nobody awaits, a large terminal frame, and an exit at once: it must not be lost',
    value(LARGE),
    async (peer) => {
      await peer.ready();
      const call = peer.text(peer.callFrame());
      peer.write(call + peer.text(await peer.terminalFrame(LARGE)));
      process.exit(0);
    },
  );

  add('frames that come one byte at a time', value('é😀'), async (peer) => {
    const ready = peer.text(await peer.readyFrame());
    for (const byte of Buffer.from(ready + peer.text(await peer.terminalFrame('é😀')))) {
      peer.write(Buffer.of(byte));
    }
  });

  add('a frame that is split inside a 4-byte character', value('😀'), async (peer) => {
    await peer.ready();
    const bytes = Buffer.from(peer.text(await peer.terminalFrame('😀')));
    const middle = bytes.indexOf(Buffer.from('😀')) + 2;
    peer.write(bytes.subarray(0, middle));
    await peer.pause(60);
    peer.write(bytes.subarray(middle));
  });

  add('U+2028 and U+2029 are legal inside a JSON string', value('\u2028\u2029\u0085'), async (peer) => {
    await peer.ready();
    await peer.finish('\u2028\u2029\u0085');
  });

  add('white space of JSON inside a frame means nothing', value(1), async (peer) => {
    const ready = peer.text(await peer.readyFrame()).replaceAll('":', '" \t: ');
    peer.write(` ${ready}`);
    peer.write(peer.text(await peer.terminalFrame(1)).replace('\n', ' \r\n'));
  });

  add('nesting of 512 levels', value(1), async (peer) => {
    const later = JSON.parse(`${'['.repeat(511)}${']'.repeat(511)}`);
    await peer.ready({ later });
    await peer.finish(1);
  });

  add('a frame of exactly the frame limit', value(1), async (peer) => {
    await peer.ready();
    const empty = peer.text(await peer.terminalFrame(1, { later: '' })).length - 1;
    await peer.finish(1, { later: 'x'.repeat(1_048_576 - empty) });
  });
});

const negotiation = section('host: ready', (add) => {
  add('unknown members of every frame are ignored', value(1), async (peer) => {
    const { effectiveLimits, ...ready } = await peer.readyFrame({ later: [{}] });
    peer.say({ ...ready, effectiveLimits: { ...effectiveLimits, maxLater: 'many' } });
    await peer.call({ later: {}, executionId: 1 });
    await peer.finish(1, { later: null, metrics: { elapsedMs: 1.5, toolCalls: 1, later: 'x' } });
  });

  add('a runner may grant no feature, without a word', value(1), async (peer) => {
    await peer.ready();
    await peer.finish(1);
  });

  add('a runner may grant no feature, by an empty list', value(1), async (peer) => {
    await peer.ready({ features: [] });
    await peer.finish(1);
  });

  add('a runner may grant all that was asked for', value(1), async (peer) => {
    const { features = [], limits } = await peer.execute();
    await peer.ready({ features, effectiveLimits: limits });
    await peer.finish(1);
  });

  add('effectiveLimits may be smaller than what was asked for', value(1), async (peer) => {
    await peer.ready({ effectiveLimits: { maxToolCalls: 0, maxResultBytes: 1, timeoutMs: 1 } });
    await peer.finish(1);
  });

  add('output on stderr means nothing, whatever its length', value(1), async (peer) => {
    const { stderr } = process;
    await peer.ready();
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) =>
        stderr.write(`${'{"version":"code-bridge-v1"}'.repeat(2000)}\n`, resolve),
      );
    }
    await peer.finish(1);
  });
});

const failures = section('host: failures that a runner reports', (add) => {
  for (const kind of ['cancelled', 'timeout', 'javascript', 'memory', 'result', 'result_limit', 'internal']) {
    add(`kind ${kind}, with its message`, failure(kind, `é "${kind}"`), async (peer) => {
      await peer.ready();
      await peer.fail({ kind, message: `é "${kind}"` });
    });
  }

  add('kind limit, with its message', failure('limit', 'too many'), async (peer) => {
    const { limits } = await peer.ready();
    const limit = limits.maxToolCalls;
    await peer.fail({
      kind: 'limit',
      message: 'too many',
      code: 'TOOL_CALL_LIMIT_EXCEEDED',
      limit,
      attempted: limit + 1,
    });
  });

  add('unknown members of an error are ignored', failure('javascript', 'm'), async (peer) => {
    await peer.ready();
    await peer.fail({ kind: 'javascript', message: 'm', later: { a: 1 } });
  });
});

const calls = section('host: tool calls', (add) => {
  for (const input of [{}, { a: [1, null, 'é😀\u2028\u0000'] }, { nested: { b: [{}] } }]) {
    add(
      `echo gets its arguments, and its result goes back: ${JSON.stringify(input)}`,
      value(input),
      async (peer) => {
        await peer.ready();
        const answer = await peer.call({ arguments: input });
        await peer.finish(answer?.['result']);
      },
    );
  }

  add('a key __proto__ is a key like any other', value(['__proto__']), async (peer) => {
    await peer.ready();
    const answer = await peer.call({ arguments: JSON.parse('{"__proto__":{"a":1}}') });
    await peer.finish(Object.keys(/** @type {object} */ (answer?.['result'])));
  });

  add(
    'fail is answered with its code and message',
    value({ code: 'E_FAIL', message: 'failed' }),
    async (peer) => {
      await peer.ready();
      const answer = await peer.call({ name: 'fail' });
      await peer.finish(answer?.['error']);
    },
  );

  add('ids go on from call to call', value([1, 2, 3, 4, 5, 6, 7, 8]), async (peer) => {
    await peer.ready();
    const ids = [];
    for (let i = 0; i < 8; i++) ids.push((await peer.call({ arguments: { i } }))?.['id']);
    await peer.finish(ids);
  });

  add('large arguments and results', value(400_011), async (peer) => {
    await peer.ready();
    const answer = await peer.call({ arguments: { text: 'x'.repeat(400_000) } });
    await peer.finish(JSON.stringify(answer?.['result']).length);
  });

  add('a call that comes one byte at a time', value({ a: '😀' }), async (peer) => {
    await peer.ready();
    for (const byte of Buffer.from(peer.text(peer.callFrame({ arguments: { a: '😀' } })))) {
      peer.write(Buffer.of(byte));
    }
    await peer.finish((await peer.hear())?.['result']);
  });

  add('several at once, where parallel-tools is granted', value('done'), async (peer) => {
    const { features = [] } = await peer.execute();
    const parallel = features.includes('parallel-tools');
    await peer.ready(parallel ? { features: ['parallel-tools'] } : {});
    for (let i = 0; parallel && i < 4; i++) peer.say(peer.callFrame({ arguments: { i } }));
    for (let i = 0; parallel && i < 4; i++) await peer.hear();
    await peer.finish('done');
  });
});

const half = section('host: what it sends', (add) => {
  for (const [name, program] of /** @type {[string, string][]} */ ([
    ['short', 'return 1'],
    ['with any characters', 'return "é😀\u2028\u2029\\u0000" // \t\r\nend\n'],
    ['long', `return ${JSON.stringify('x'.repeat(200_000))}`],
  ])) {
    add(
      `execute carries the program as it is: ${name}`,
      value(true),
      async (peer) => {
        const { code } = await peer.ready();
        await peer.finish(code === program);
      },
      { program },
    );
  }

  add('nothing before ready but execute, and only one', value(null), async (peer) => {
    await peer.execute();
    await peer.pause(100);
    await peer.ready();
    await peer.pause(100);
    await peer.finish(null);
  });

  add('its half stays open until the terminal frame', value('open'), async (peer) => {
    await peer.ready();
    let ended = false;
    void peer.ended().then(() => {
      ended = true;
    });
    await peer.pause(200);
    await peer.finish(ended ? 'ended' : 'open');
  });

  add(
    'stopped, it cancels: by a cancel of this execution, or by EOF',
    failure('cancelled', 'stopped'),
    async (peer) => {
      await peer.ready();
      const frame = await peer.hear();
      const { executionId } = await peer.execute();
      const isCancel = frame?.['type'] === 'cancel' && frame['executionId'] === executionId;
      const kind = frame === undefined || isCancel ? 'cancelled' : 'internal';
      await peer.fail({ kind, message: 'stopped' });
    },
    { stopped: true },
  );
});

export const conversation = [...results, ...negotiation, ...failures, ...calls, ...half];
