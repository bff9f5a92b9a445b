/** Places that are held because nothing may be made there: what becomes of them, however a command ends. */
import assert from 'node:assert/strict';
import { chownSync, existsSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackendCapability } from 'wardenpool/executor';
import { CommandRefused } from '../../support/command-host.js';
import {
  descendants,
  eventually,
  namespaceOf,
  pidDepth,
  processesInUserNamespaces,
} from '../../support/processes.js';
import { type Attack, attack, operations, type Scene, withRules } from './attack.js';

const POLICY = withRules(['deny', 'missing'], ['deny', 'far/away']);
const NEEDS: readonly BackendCapability[] = ['fs-deny', 'fs-protect-create'];

const isHeld = ({ workspace }: Scene) =>
  existsSync(join(workspace, 'missing')) && existsSync(join(workspace, 'far/away'));

function assertNothingLeft({ workspace }: Scene): void {
  assert.deepEqual(readdirSync(workspace), ['probe-command']);
}

/** Starts a command that stays, and holds its places. */
async function staying(scene: Scene) {
  const running = scene.start(['stay'], POLICY);
  const { pid } = await running.said;
  assert.ok(isHeld(scene), 'the places are held');
  return { running, pid };
}

export const PLACE_ATTACKS: readonly Attack[] = [
  attack(
    'places are given back when the command is over, or was stopped',
    'nothing is left',
    async (scene) => {
      for (const end of ['release', 'stop'] as const) {
        const { running } = await staying(scene);
        running[end]();
        await running.ended;
        assertNothingLeft(scene);
      }
    },
    NEEDS,
  ),
  attack(
    'places are given back when the command could not be executed',
    'it fails to start; nothing is left',
    async (scene) => {
      writeFileSync(join(scene.workspace, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 });
      scene.own();
      const command = [join(scene.workspace, 'script')];
      const { ended } = scene.host.start(command, {
        backend: scene.backend,
        workspace: scene.workspace,
        policy: POLICY.policy ?? assert.fail(),
      });
      await assert.rejects(
        ended,
        (error) => error instanceof CommandRefused && error.cause.name === 'SpawnFailed',
      );
      assert.deepEqual(readdirSync(scene.workspace).sort(), ['probe-command', 'script']);
    },
    NEEDS,
  ),
  attack(
    'places are given back when the launcher fails after it took them',
    'refused, where a place is somebody else’s; nothing is left',
    async (scene) => {
      // Nothing can be made in a directory of somebody else; only root can make one.
      const isRoot = process.geteuid?.() === 0;
      scene.fill({ 'others/file': '' });
      if (isRoot) chownSync(join(scene.workspace, 'others'), 1, 1);
      const run = scene.run(['stay'], withRules(['deny', 'missing'], ['deny', 'others/missing']));
      if (isRoot) await assert.rejects(run, CommandRefused);
      else await run;
      assert.deepEqual(readdirSync(scene.workspace).sort(), ['others', 'probe-command']);
    },
    NEEDS,
  ),
  ...['stay', 'orphans'].map((probe) =>
    attack(
      `places are given back when the host is killed, by a command that ${probe === 'stay' ? 'waits' : 'makes orphans'}`,
      'nothing is left, nor the launcher',
      async (scene) => {
        const host = await scene.anotherHost();
        const command = [join(scene.workspace, 'probe-command'), probe];
        const { backend, workspace } = scene;
        const policy = POLICY.policy ?? assert.fail();
        const running = host.start(command, { backend, workspace, policy }, true);
        const { pid } = await running.said;
        const namespaces = new Set([namespaceOf(pid, 'user') ?? assert.fail('the command is there')]);
        assert.ok(isHeld(scene), 'the places are held');
        await host.kill();
        const isOver = () =>
          readdirSync(workspace).length === 1 && processesInUserNamespaces(namespaces).length === 0;
        assert.ok(await eventually(isOver, 10_000), 'the launcher removed them, and ended');
        assertNothingLeft(scene);
      },
      NEEDS,
    ),
  ),
  attack(
    'places that a killed launcher left are taken over by the next command, and given back',
    'EACCES for the next command; then nothing is left',
    async (scene) => {
      const { running, pid } = await staying(scene);
      const launcher = descendants(scene.host.pid).find(
        (each) => each !== pid && pidDepth(each) === pidDepth(pid),
      );
      process.kill(launcher ?? assert.fail('the launcher is there'), 'SIGKILL');
      const { receipt } = await running.ended;
      assert.equal(receipt.outcome.kind, 'lost');
      assert.ok(isHeld(scene), 'they are left');
      const ends = await scene.ends(
        operations(['create /workspace/missing/file', 'mkdir /workspace/far/away/x']),
        POLICY,
      );
      assert.deepEqual(ends, {
        'create /workspace/missing/file': 'EACCES',
        'mkdir /workspace/far/away/x': 'EACCES',
      });
      assertNothingLeft(scene);
    },
    NEEDS,
  ),
  attack(
    'a place in which the host put something stays',
    'that stays, the other is gone',
    async (scene) => {
      const { running } = await staying(scene);
      writeFileSync(join(scene.workspace, 'missing/of-the-host'), '');
      running.release();
      await running.ended;
      assert.deepEqual(readdirSync(join(scene.workspace, 'missing')), ['of-the-host']);
      assert.ok(!existsSync(join(scene.workspace, 'far')));
    },
    NEEDS,
  ),
  attack(
    'a place is held until the last of several commands is over',
    'EACCES, EBUSY or EEXIST for the last; then nothing is left',
    async (scene) => {
      const first = await staying(scene);
      const attempts = [
        'create /workspace/missing/file',
        'rmdir /workspace/missing',
        'mkdir /workspace/missing',
        'rename /workspace/far /workspace/near',
        'create /workspace/far/away/file',
      ];
      const second = scene.start(['files', 'wait', ...operations(attempts).slice(1)], POLICY);
      await second.said;
      const place = statSync(join(scene.workspace, 'missing')).ino;
      first.running.release();
      await first.running.ended;
      assert.ok(isHeld(scene), 'the second one still needs them');
      assert.equal(statSync(join(scene.workspace, 'missing')).ino, place);
      second.release();
      const { ends } = await second.ended;
      assert.deepEqual(Object.values(ends), ['EACCES', 'EBUSY', 'EEXIST', 'EBUSY', 'EACCES']);
      assertNothingLeft(scene);
    },
    NEEDS,
  ),
  attack(
    'many commands at once hold and give back one place, and none ever makes anything there',
    'EACCES or EEXIST for each; then nothing is left',
    async (scene) => {
      const attempts = operations(['create /workspace/missing/file', 'mkdir /workspace/missing']);
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let round = 0; round < 8; round++)
            assert.deepEqual(Object.values(await scene.ends(attempts, POLICY)), ['EACCES', 'EEXIST']);
        }),
      );
      assertNothingLeft(scene);
    },
    NEEDS,
  ),
  attack(
    'a place that the host removes is not missed',
    'nothing is left',
    async (scene) => {
      const { running } = await staying(scene);
      rmdirSync(join(scene.workspace, 'missing'));
      running.release();
      await running.ended;
      assertNothingLeft(scene);
    },
    NEEDS,
  ),
];
