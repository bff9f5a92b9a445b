/** What nobody makes fail: stops that race with ends, workspaces that go away, and the addon in one process more than once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from 'wardenpool';
import { readOnly, readWrite, SpawnFailed, spawnIsolated } from 'wardenpool/executor';
import { leavingNothing } from './aftermath.js';
import { makePlace, type Place } from './place.js';
import { faultyPackage } from './seam.js';

describe('faults: the course of things', () => {
  let place: Place;
  before(() => {
    place = makePlace();
  });
  after(() => place.remove());

  const start = (command: string[]) => {
    const execution = spawnIsolated(command, { policy: readOnly() });
    execution.protocol.resume();
    return execution;
  };

  it('a stop that comes with the end of a command: one of the two is told, and nothing is left', async () => {
    await start(['true']).wait();
    await leavingNothing(place.directory, async () => {
      for (let delay = 0; delay < 30; delay++) {
        const execution = start(['true']);
        await sleep(delay);
        await execution.stop({ force: delay % 2 === 0 });
        const end = await execution.wait().catch((error: unknown) => error);
        if (end instanceof Error) assert.ok(end instanceof SpawnFailed, String(end));
        else {
          const { returncode, signal } = end as { returncode: number | null; signal: string | null };
          assert.ok(
            returncode === 0 || signal === 'SIGTERM' || signal === 'SIGKILL',
            `${returncode} ${signal}`,
          );
        }
      }
    });
  });

  it('a workspace that is deleted in mid-run: the command finds it empty, and ends as it chooses', async () => {
    const workspace = join(place.directory, 'gone');
    mkdirSync(workspace, { mode: 0o777 });
    const execution = spawnIsolated(['sh', '-c', 'echo there; read go <&3; echo x > file || exit 9'], {
      policy: readWrite(),
      workspace,
    });
    execution.protocol.resume();
    await once(execution.stderr, 'data');
    rmSync(workspace, { recursive: true });
    execution.protocol.end('go\n');
    const { receipt } = await execution.wait();
    assert.equal(receipt.outcome.kind, 'exited');
    assert.notEqual(receipt.outcome.code, 0);
    assert.equal(receipt.stop.containmentConfirmed, true);
  });

  it('the addon loaded twice in one process: pools and commands of both work side by side', async () => {
    const other = await faultyPackage('launcher');
    try {
      const pools = await Promise.all([
        createPool({ threads: 1 }),
        other.wardenpool.createPool({ threads: 1 }),
      ]);
      const runs = await Promise.all(pools.map((pool) => pool.run('return 42')));
      assert.deepEqual(
        runs.map((run) => run.ok && run.value),
        [42, 42],
      );
      const commands = [spawnIsolated, other.executor.spawnIsolated].map((spawn) => {
        const execution = spawn(['true'], { policy: readOnly() });
        execution.protocol.resume();
        return execution.wait();
      });
      assert.deepEqual(
        (await Promise.all(commands)).map(({ returncode }) => returncode),
        [0, 0],
      );
      await Promise.all(pools.map((pool) => pool.close()));
    } finally {
      other.remove();
    }
  });
});
