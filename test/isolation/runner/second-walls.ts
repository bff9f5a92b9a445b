/**
 * What stands behind the seccomp filters, alone: the same sandbox, from a launcher that never installs them. Landlock is expected with
 * ABI 6 or later. What is said here to be possible is so without a filter only.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Ends } from '../../support/command-host.js';
import { inWords } from '../in-words.js';
import type { RunnerAttack, RunnerScene } from './attack.js';

/** Ends by whether the sandbox has a root and processes of its own, or the host's: there Landlock is all that there is. */
interface EndsByBackend {
  own: Ends;
  ofTheHost: Ends;
}

function wall(
  name: string,
  request: string | ((scene: RunnerScene) => string | Promise<string>),
  { own, ofTheHost }: EndsByBackend,
): RunnerAttack {
  const [inOwn, inHosts] = [inWords(own), inWords(ofTheHost)];
  return {
    name,
    end: inOwn === inHosts ? inOwn : `${inOwn}. With seccomp: ${inHosts}`,
    async attempt(scene) {
      const words = typeof request === 'string' ? request : await request(scene);
      const expected = scene.place.backend === 'seccomp' ? ofTheHost : own;
      assert.deepEqual(await scene.ends(words), expected);
    },
  };
}

const everywhere = (ends: Ends): EndsByBackend => ({ own: ends, ofTheHost: ends });

function everyOne(names: readonly string[], end: string): Ends {
  return Object.fromEntries(names.map((name) => [name, end]));
}

const OF_FILES = ['read a file', 'by ..', 'its own memory', 'the null device', 'make a file'];
const MORE_OF_FILES = ['make a directory', 'make a link', 'make a device', 'execute'];

/** Listens where only the host can be reached: by TCP, and by an abstract name. */
async function withListeners<T>(use: (port: number, name: string) => Promise<T>): Promise<T> {
  const name = `wardenpool-test-${process.pid}`;
  const tcp: Server = createServer().listen(0, '127.0.0.1');
  const abstract: Server = createServer().listen(`\0${name}`);
  try {
    await Promise.all([once(tcp, 'listening'), once(abstract, 'listening')]);
    return await use((tcp.address() as AddressInfo).port, name);
  } finally {
    tcp.close();
    abstract.close();
  }
}

export const SECOND_WALL_ATTACKS: readonly RunnerAttack[] = [
  wall('files: the empty root, and Landlock', 'wall-files', {
    own: {
      ...everyOne([...OF_FILES, ...MORE_OF_FILES], 'ENOENT'),
      'list the root': 'EACCES',
      'make one in the root': 'EROFS',
    },
    ofTheHost: everyOne([...OF_FILES, 'list the root', 'make one in the root', ...MORE_OF_FILES], 'EACCES'),
  }),
  {
    name: 'sockets of the host: the own network, and Landlock',
    end: 'by TCP EACCES; abstract ECONNREFUSED. With seccomp: abstract EPERM',
    attempt: (scene) =>
      withListeners(async (port, name) => {
        assert.deepEqual(await scene.ends(`wall-sockets ${port} ${name}`), {
          'connect by TCP': 'EACCES',
          'bind by TCP': 'EACCES',
          'connect to an abstract socket': scene.place.backend === 'seccomp' ? 'EPERM' : 'ECONNREFUSED',
        });
      }),
  },
  wall(
    'processes: the own PID namespace, and Landlock; no process may be made',
    (scene) => `wall-processes ${scene.host.pid}`,
    {
      own: {
        ...everyOne(['signal its host', 'signal its launcher', 'trace its host'], 'ESRCH'),
        fork: 'EAGAIN',
      },
      // Its launcher is in the same domain of Landlock, and of the same user.
      ofTheHost: {
        'signal its host': 'EPERM',
        'signal its launcher': 'ok',
        'trace its host': 'EPERM',
        fork: 'EAGAIN',
      },
    },
  ),
  wall('privileges: no uid to take, no capability to gain, securebits locked', 'wall-privileges', {
    own: {
      'setuid 0': 'EINVAL',
      'setgid 0': 'EINVAL',
      setgroups: 'EPERM',
      capabilities: 'EPERM',
      'an ambient capability': 'EPERM',
      securebits: 'EPERM',
      'no_new_privs off': 'EINVAL',
      'the clock': 'EPERM',
    },
    ofTheHost: {
      ...everyOne(['setuid 0', 'setgid 0', 'setgroups', 'capabilities', 'an ambient capability'], 'EPERM'),
      securebits: 'EPERM',
      'no_new_privs off': 'EINVAL',
      'the clock': 'EPERM',
    },
  }),
  {
    name: 'a user namespace of its own, with every capability in it: mounts, and Landlock',
    end: 'no mount: EPERM or EINVAL; no file',
    async attempt(scene) {
      const { 'a user namespace': _, ...ends } = await scene.ends('wall-namespaces');
      const file = scene.place.backend === 'seccomp' ? 'EACCES' : 'ENOENT';
      assert.equal(ends['read a file'], file);
      for (const name of ['mount', 'remount', 'unmount', 'pivot_root'])
        assert.match(String(ends[name]), /^(EPERM|EINVAL)$/, name);
    },
  },
  wall(
    'limits: none can be raised, and nothing can grow',
    'wall-limits',
    everywhere({
      ...everyOne(
        ['descriptors', 'processes', 'data', 'CPU time'].map((name) => `raise ${name}`),
        'EPERM',
      ),
      'one more descriptor': 'EMFILE',
      'private memory': 'ENOMEM',
      'locked memory': 'EPERM',
      'the heap': 'does not grow',
    }),
  ),
];
