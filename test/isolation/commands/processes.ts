/** The launcher and other processes, and those that a command leaves behind. */
import assert from 'node:assert/strict';
import { eventually, namespaceOf, processesInUserNamespaces, statusField } from '../../support/processes.js';
import { type Attack, all, attack, probe, type Scene } from './attack.js';

/** The user namespace of a sandbox, by one process in it. */
function ownNamespace(pid: number): Set<string> {
  const namespace = namespaceOf(pid, 'user');
  assert.ok(namespace !== undefined, `process ${pid} is not there`);
  return new Set([namespace]);
}

/** The command's last word is that it goes on; then it is released, or stopped, and nothing of it may be left. */
async function leavesNothing(
  scene: Scene,
  command: string[],
  stop: boolean,
  least: number,
  isReady: (pid: number) => boolean = () => true,
): Promise<void> {
  const running = scene.start(command, {
    limits: { processes: 64, wallMs: 60_000 },
    stop: { gracefulMs: 100, forcedMs: 10_000 },
  });
  const { pid } = await running.said;
  const namespaces = ownNamespace(pid);
  assert.ok(await eventually(() => isReady(pid), 10_000), 'it does what it said');
  assert.ok(processesInUserNamespaces(namespaces).length >= least, 'they are there');
  if (stop) running.stop();
  else running.release();
  const { receipt } = await running.ended;
  assert.deepEqual(processesInUserNamespaces(namespaces), []);
  assert.equal(receipt.stop.forcedStopAttempted, stop);
  assert.equal(receipt.stop.containmentConfirmed, true);
}

const OF_OTHERS = [
  'ptrace attach',
  'ptrace seize',
  'process_vm_readv',
  'process_vm_writev',
  'pidfd_getfd',
  'kcmp',
  'process_madvise',
];

export const PROCESS_ATTACKS: readonly Attack[] = [
  probe('memory and descriptors of other processes', ['others'], {
    ...all(
      ['the launcher', 'a sibling'].flatMap((name) => OF_OTHERS.map((each) => `${each} ${name}`)),
      'EPERM',
    ),
    'ptrace traceme': 'EPERM',
  }),
  probe(
    'signals to the launcher and to everybody',
    ['signals'],
    {
      parent: 1,
      'child waited for': 'ok',
      child: 'SIGKILL',
      'parent after kill(-1)': 1,
    },
    'the launcher stays; kill(-1) ends only what the command started (SIGKILL)',
  ),
  attack(
    'limits raised, its own and the launcher’s',
    'EPERM, data ok where it has no limit; a higher priority EACCES; the launcher’s can be read only',
    async (scene) => {
      const ends = await scene.ends(['limits'], {
        limits: { openFiles: 64, fileBytes: 1_048_576, memoryBytes: 268_435_456 },
      });
      // What has no limit cannot be raised.
      const { 'raise data': data, "the launcher's, asked for": asked, ...others } = ends;
      assert.ok(data === 'EPERM' || data === 'ok', String(data));
      assert.equal(asked, 'ok');
      assert.deepEqual(others, {
        ...all(
          ['core', 'memlock', 'nice', 'realtime', 'files', 'file size'].map((name) => `raise ${name}`),
          'EPERM',
        ),
        "the launcher's": 'EPERM',
        'higher priority': 'EACCES',
      });
    },
  ),
  probe(
    'the machine’s clock and name',
    ['clocks'],
    all(['clock_settime', 'settimeofday', 'sethostname'], 'EPERM'),
  ),
  attack('daemons left behind', 'none is left when it is over', (scene) =>
    leavesNothing(scene, ['daemons', '10'], false, 11),
  ),
  attack('a fork bomb', 'no process is left when it is over', (scene) =>
    leavesNothing(scene, ['fork-bomb'], false, 10),
  ),
  attack('a fork bomb, within its limit', 'EAGAIN, at the limit', async (scene) => {
    const { ends } = await scene.run(['fork-bomb'], { limits: { processes: 32 } });
    assert.equal(ends['the last'], 'EAGAIN');
    assert.ok(Number(ends['processes']) <= 32, String(ends['processes']));
  }),
  attack('a command that ignores every signal', 'killed when it is stopped; no process is left', (scene) =>
    leavesNothing(scene, ['ignores-signals'], true, 1),
  ),
  attack('a command that stops itself', 'killed when it is stopped; no process is left', (scene) =>
    leavesNothing(scene, ['stops-itself'], true, 1, (pid) => statusField(pid, 'State').startsWith('T')),
  ),
];
