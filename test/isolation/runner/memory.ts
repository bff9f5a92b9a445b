/** Memory of a runner that was taken over: what is in it, what of it changes, and what the kernel does with addresses. */
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { HOST_MARKER } from '../../support/host-process.js';
import { mappingsOf, readMemory } from '../../support/mappings.js';
import { parentOf } from '../../support/processes.js';
import { readableCopy } from '../../support/readable-copy.js';
import { killed, type RunnerAttack, type RunnerScene, says } from './attack.js';

const NOT_THERE = { read: 'EFAULT', write: 'EFAULT', writev: 'EFAULT', 'writev of a list there': 'refused' };
const NEVER_WRITTEN = {
  getrandom: 'EFAULT',
  clock_gettime: 'EFAULT',
  ppoll: 'EFAULT',
  rt_sigprocmask: 'EFAULT',
  setitimer: 'EFAULT',
};

const backwards = (text: string) => [...text].reverse().join('');

/** How often each text is in what a fresh sandbox, with the mappings of `pid`, can read. */
async function occurrences(
  scene: RunnerScene,
  pid: number,
  texts: readonly string[],
): Promise<Map<string, number>> {
  const ranges = mappingsOf(pid).flatMap(({ start, end, access }) =>
    access.startsWith('r') ? [`0x${start.toString(16)}`, `0x${end.toString(16)}`] : [],
  );
  const ends = await scene.ends(['search', ...ranges, '/', ...texts.map(backwards)].join(' '));
  assert.ok(Number(ends['bytes']) > 2 ** 20, 'it reads its memory');
  return new Map(texts.map((text) => [text, Number(ends[backwards(text)])]));
}

async function whileStaying<T>(scene: RunnerScene, look: (pid: number) => T | Promise<T>): Promise<T> {
  const staying = await scene.start('stay');
  try {
    return await look(staying.pid);
  } finally {
    staying.release();
    await staying.ended;
  }
}

export const MEMORY_ATTACKS: readonly RunnerAttack[] = [
  {
    name: 'its whole memory, searched for the host’s environment, paths, name and user',
    end: 'none found',
    attempt: (scene) =>
      whileStaying(scene, async (pid) => {
        const ofTheHost = [HOST_MARKER, `PATH=${process.env['PATH']}`, readableCopy(), process.execPath];
        // A name of one or two letters is somewhere by chance.
        if (hostname().length > 4) ofTheHost.push(hostname());
        const canary = 'a_canary_of_the_attacking_runner';
        const found = await occurrences(scene, pid, [...ofTheHost, canary]);
        assert.ok((found.get(canary) ?? 0) > 0, 'it finds what is there');
        for (const text of ofTheHost) assert.equal(found.get(text), 0, text);
      }),
  },
  says('the stack that exec made: arguments, environment, the path of its binary, AT_RANDOM', 'first-stack', {
    'its end': 'gone',
    environment: 'gone',
    path: 'gone',
    'random bytes': 'gone',
  }),
  {
    name: 'a mapping that can be written and executed, as the host’s kernel lists them',
    end: 'none',
    attempt: (scene) =>
      whileStaying(scene, (pid) => {
        const both = mappingsOf(pid).filter(({ access }) => access.includes('w') && access.includes('x'));
        assert.deepEqual(both, []);
      }),
  },
  killed(
    'code written to its own data, stack and engine memory, and executed',
    ['execute-at data', 'execute-at stack', 'execute-at engine'],
    ['SIGSEGV'],
  ),
  killed(
    'its own text, constants and tables of functions, written',
    ['write-at text', 'write-at constants', 'write-at linked', 'write-at vdso'],
    ['SIGSEGV'],
  ),
  says(
    'its own text, written by the kernel’s hand',
    'kernel-at text',
    {
      read: 'EAGAIN',
      write: 'ok',
      writev: 'ok',
      'writev of a list there': 'refused',
      ...NEVER_WRITTEN,
    },
    'EFAULT for each call that would write',
  ),
  says(
    'the tables of functions, written by the kernel’s hand',
    'kernel-at linked',
    {
      read: 'EAGAIN',
      write: 'ok',
      writev: 'ok',
      'writev of a list there': 'ok',
      ...NEVER_WRITTEN,
    },
    'EFAULT for each call that would write',
  ),
  says('addresses of the kernel, as an oracle and as a target', 'kernel-at 0xffff888000000000', {
    ...NOT_THERE,
    ...NEVER_WRITTEN,
  }),
  says('the page of vsyscalls, by the kernel’s hand', 'kernel-at 0xffffffffff600000', {
    ...NOT_THERE,
    ...NEVER_WRITTEN,
  }),
  killed(
    'addresses of the kernel and the first page, read, written and called',
    ['0', '0xffff888000000000', '0xffffffff81000000', '0x8000000000000000'].flatMap((address) =>
      ['read-at', 'write-at', 'execute-at'].map((attack) => `${attack} ${address}`),
    ),
    ['SIGSEGV', 'SIGBUS'],
  ),
  {
    name: 'secrets of a sibling: random numbers',
    end: 'its own',
    attempt: async (scene) => {
      const [first, second] = await scene.outcomes(['secrets', 'secrets']);
      assert.notEqual(first?.ends['random number'], second?.ends['random number']);
    },
  },
  {
    name: 'secrets of a sibling: stack protector, pointer guard, addresses',
    end: 'shared, being copies of one process: a limit',
    attempt: async (scene) => {
      const [first, second] = await scene.outcomes(['secrets', 'secrets']);
      for (const name of ['stack protector', 'pointer guard', 'address of the program']) {
        assert.match(String(first?.ends[name]), /[1-9a-f]/);
        assert.equal(first?.ends[name], second?.ends[name], name);
      }
    },
  },
  {
    name: 'secrets of another launcher’s sandbox',
    end: 'its own',
    attempt: async (scene) => {
      const other = scene.namespaces === 'shared' ? 'own' : 'shared';
      const [mine] = await scene.outcomes(['secrets']);
      const [others] = await scene.host.attempt(scene.executable, other, ['secrets']);
      for (const name of ['stack protector', 'pointer guard', 'address of the program'])
        assert.notEqual(mine?.ends[name], others?.ends[name], name);
    },
  },
  {
    name: 'its launcher’s memory, searched from outside for what it must not hold',
    end: 'none found',
    attempt: (scene) =>
      whileStaying(scene, (pid) => {
        const launcher = parentOf(pid) ?? assert.fail('it has a launcher');
        const ofTheHost = [HOST_MARKER, `PATH=${process.env['PATH']}`, readableCopy(), process.execPath];
        for (const { start, end, access } of mappingsOf(launcher)) {
          if (!access.startsWith('r')) continue;
          const bytes = readMemory(launcher, start, end);
          for (const text of ofTheHost)
            assert.equal(bytes.indexOf(text), -1, `${text} at ${start.toString(16)}`);
        }
      }),
  },
];
