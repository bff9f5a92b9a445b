/** Ways to somebody outside who listens. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readOnly } from 'wardenpool/executor';
import { descriptorsOf } from '../../support/processes.js';
import { type Attack, attack, probe } from './attack.js';

async function listening(address: string | { host: string; port: number }): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  if (typeof address === 'string') server.listen(address);
  else server.listen(address.port, address.host);
  await once(server, 'listening');
  return server;
}

/** What the attacking command comes to as an ordinary program of the host. */
async function outside(probe: string, arguments_: readonly string[]): Promise<unknown> {
  const child = spawn(probe, arguments_, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  return JSON.parse(await text(child.stdio[3] as Readable));
}

let abstractNames = 0;

export const NETWORK_ATTACKS: readonly Attack[] = [
  probe(
    'interfaces',
    ['interfaces'],
    { names: 'lo', 'loopback down': 'EPERM' },
    'a loopback alone; it cannot be set down (EPERM)',
  ),
  attack(
    'somebody of the host who listens, by TCP',
    'ECONNREFUSED; beyond the host ENETUNREACH',
    async (scene) => {
      const server = await listening({ host: '127.0.0.1', port: 0 });
      const port = String((server.address() as AddressInfo).port);
      try {
        const ends = await scene.ends(['connects', 'tcp', port, 'internet', '192.0.2.1']);
        assert.deepEqual(ends, { tcp: 'ECONNREFUSED', internet: 'ENETUNREACH' });
        const by6 = await scene.ends(['connects', 'tcp6', port]);
        // Without IPv6, or with an address that a loopback of its own has not yet.
        assert.match(String(by6['tcp6']), /^(ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH|EAFNOSUPPORT)$/);
      } finally {
        server.close();
      }
    },
  ),
  attack('an abstract socket of the host', 'ECONNREFUSED', async (scene) => {
    const name = `wardenpool-test-${process.pid}-${++abstractNames}`;
    const server = await listening(`\0${name}`);
    try {
      // Outside it is reached by the same attempt.
      assert.deepEqual(await outside(scene.host.probe, ['connects', 'whole-abstract', name]), {
        'whole-abstract': 'ok',
      });
      assert.deepEqual(await scene.ends(['connects', 'whole-abstract', name]), {
        'whole-abstract': 'ECONNREFUSED',
      });
    } finally {
      server.close();
    }
  }),
  attack(
    'an abstract socket of the host, by a command that has its network',
    'EPERM',
    async (scene) => {
      const name = `wardenpool-test-${process.pid}-${++abstractNames}`;
      const server = await listening(`\0${name}`);
      try {
        const policy = { ...readOnly(), network: { mode: 'direct' } } as const;
        assert.deepEqual(await scene.ends(['connects', 'whole-abstract', name], { policy }), {
          'whole-abstract': 'EPERM',
        });
      } finally {
        server.close();
      }
    },
    ['network-direct'],
  ),
  attack('sockets of a sibling', 'ECONNREFUSED', async (scene) => {
    const name = `wardenpool-test-${process.pid}-${++abstractNames}`;
    const listener = scene.start(['listens', name]);
    const { ends } = await listener.said;
    assert.equal(ends['listen'], 'ok');
    const reached = await scene.ends(['connects', 'abstract', name, 'tcp', String(ends['port'])]);
    listener.release();
    await listener.ended;
    assert.deepEqual(reached, { abstract: 'ECONNREFUSED', tcp: 'ECONNREFUSED' });
  }),
  attack(
    'a socket by its path, outside of what is granted and in it',
    'outside ENOENT; in it reached: a limit',
    async (scene) => {
      const outside = scene.host.workspace(scene.owner);
      const servers = await Promise.all(
        [outside, scene.workspace].map((place) => listening(join(place, 'socket'))),
      );
      for (const place of [outside, scene.workspace]) chmodSync(join(place, 'socket'), 0o777);
      try {
        const reach = async (path: string) => (await scene.ends(['connects', 'path', path]))['path'];
        assert.equal(await reach(join(outside, 'socket')), 'ENOENT');
        // What is granted is granted to whoever listens in it, too: a limit, and said so.
        assert.equal(await reach('/workspace/socket'), 'ok');
      } finally {
        for (const server of servers) server.close();
      }
    },
  ),
  attack('descriptors sent to the host', 'none is taken', async (scene) => {
    const running = scene.start(['sends-descriptors'], { policy: readOnly() });
    const { ends } = await running.said;
    assert.equal(ends['sent'], 10);
    const open = [...(descriptorsOf(scene.host.pid)?.values() ?? [])];
    running.release();
    await running.ended;
    assert.ok(open.length > 0);
    assert.ok(!open.includes('/'), 'the host took none of them');
  }),
];
