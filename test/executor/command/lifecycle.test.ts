import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type IsolatedExecution, SpawnFailed } from 'wardenpool/executor';
import { holdingsOf, leftAfter } from '../../support/leak-check.js';
import { privateTemporary } from '../../support/private-temporary.js';
import { descendants, eventually, statusField } from '../../support/processes.js';
import { collect, shell, start } from './collect.js';
import { pidOf } from './run-command.js';

const ENTRY_POINT = import.meta.resolve('wardenpool/executor');

function isAlive(pid: number): boolean {
  const state = statusField(pid, 'State');
  return state !== '' && !state.startsWith('Z');
}

/** Its PID, once it has said that it is there. */
async function started(execution: IsolatedExecution): Promise<number> {
  await once(execution.stderr, 'data');
  return pidOf(execution);
}

const SLEEPER = shell('echo there; exec sleep 600');
/** Two processes, of which neither hears SIGTERM. */
const STUBBORN = shell('trap "" TERM; sleep 600 & echo there; while :; do wait; done');

describe('the end of a command', () => {
  it('can be waited for many times', async () => {
    const execution = start(shell('exit 3'));
    const [one, other] = await Promise.all([execution.wait(), execution.wait()]);
    assert.equal(one, other);
    assert.equal(await execution.wait(), one);
    assert.equal(execution.pid, undefined);
  });

  it('comes by SIGTERM when it is stopped', async () => {
    const execution = start(SLEEPER);
    await started(execution);
    await execution.stop();
    const { signal, receipt } = await execution.wait();
    assert.equal(signal, 'SIGTERM');
    assert.deepEqual(receipt.stop, {
      reason: 'closed',
      gracefulStopAttempted: true,
      forcedStopAttempted: false,
      containmentConfirmed: true,
    });
  });

  it('comes by SIGKILL, to all of it, if it does not heed SIGTERM', async () => {
    const execution = start(STUBBORN, { stop: { gracefulMs: 100 } });
    const pid = await started(execution);
    await execution.stop();
    const { signal, receipt } = await execution.wait();
    assert.equal(signal, 'SIGKILL');
    assert.equal(receipt.stop.forcedStopAttempted, true);
    assert.equal(isAlive(pid), false);
  });

  it('comes at once with force, also after a gentler stop', async () => {
    const execution = start(STUBBORN, { stop: { gracefulMs: 600_000 } });
    await started(execution);
    const gentle = execution.stop();
    await execution.stop({ force: true });
    await gentle;
    assert.equal((await execution.wait()).signal, 'SIGKILL');
  });

  it('is the same for any number of stops, and for one after it', async () => {
    const execution = start(SLEEPER);
    await started(execution);
    await Promise.all(Array.from({ length: 100 }, () => execution.stop()));
    assert.equal((await execution.wait()).signal, 'SIGTERM');
    await execution.stop();
    await execution.stop({ force: true });
    const finished = start(['true']);
    const { returncode } = await finished.wait();
    await finished.stop();
    assert.equal(returncode, 0);
    assert.equal((await finished.wait()).receipt.stop.reason, null);
  });

  it('comes before its start if it is stopped then, and is told apart from a command that cannot be run', async () => {
    const execution = start(SLEEPER);
    await execution.stop();
    await assert.rejects(execution.wait(), (error) => {
      assert.ok(error instanceof SpawnFailed, String(error));
      assert.deepEqual([error.failure, error.code], ['cancelled', 'ECANCELED']);
      assert.equal(error.receipt?.state, 'unavailable');
      return true;
    });
  });

  it('does not come by a stop that was given options which there are not', async () => {
    const execution = start(SLEEPER);
    await started(execution);
    await assert.rejects(execution.stop({ forced: true } as object), {
      name: 'InvalidOptionError',
      message: 'stop() has no option "forced": did you mean force?',
    });
    await assert.rejects(
      execution.stop({ force: 1 } as object),
      /option force of stop\(\) is 1: must be true or false/,
    );
    assert.notEqual(execution.pid, undefined);
    await execution.stop({ force: true });
    assert.equal((await execution.wait()).receipt.stop.gracefulStopAttempted, false);
  });

  it('is not known if its launcher is killed; nothing of it lives on', async () => {
    const execution = start(STUBBORN);
    const pid = await started(execution);
    const launcher = Number(statusField(pid, 'PPid'));
    process.kill(launcher, 'SIGKILL');
    const { returncode, receipt } = await execution.wait();
    assert.equal(returncode, null);
    assert.equal(receipt.state, 'unavailable');
    assert.equal(receipt.outcome.kind, 'lost');
    assert.ok(await eventually(() => !isAlive(pid), 5_000));
  });

  it('is reached although its launcher is stopped', async () => {
    const execution = start(SLEEPER, { stop: { gracefulMs: 100, forcedMs: 100 } });
    const pid = await started(execution);
    process.kill(Number(statusField(pid, 'PPid')), 'SIGSTOP');
    await execution.stop();
    const { receipt } = await execution.wait();
    assert.equal(receipt.state, 'unavailable');
    assert.ok(await eventually(() => !isAlive(pid), 5_000));
  });

  it('comes with that of its host, however that ends', async () => {
    const program = `
      const { spawnIsolated, readOnly } = await import(${JSON.stringify(ENTRY_POINT)});
      const execution = spawnIsolated(${JSON.stringify(STUBBORN)}, { policy: readOnly() });
      execution.stderr.once('data', () => console.log(execution.pid));
      setInterval(() => {}, 1000);`;
    const host = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    });
    await once(host.stdout, 'data');
    const all = descendants(host.pid ?? 0);
    assert.ok(all.length >= 3, String(all));
    host.kill('SIGKILL');
    assert.ok(await eventually(() => !all.some(isAlive), 5_000));
  });

  it('leaves nothing behind: 200 commands with every outcome', async function () {
    this.timeout(180_000);
    const temporary = privateTemporary();
    temporary.enter();
    const outcomes: (() => Promise<unknown>)[] = [
      () => collect(['true']),
      () => collect(shell('echo x >&3; echo y; exit 1')),
      () => collect(shell('kill -9 $$')),
      () => collect(['wardenpool-no-such']).catch(() => {}),
      () => collect(shell('sleep 600'), {}, (execution) => execution.stop({ force: true })).catch(() => {}),
      () => collect(shell('sleep 600 & exit'), { limits: { memoryBytes: 100_000_000 } }),
    ];
    const run = async (count: number) => {
      let next = 0;
      const lane = async () => {
        while (next < count) await outcomes[next++ % outcomes.length]?.();
      };
      await Promise.all([lane(), lane(), lane(), lane()]);
    };
    await run(24);
    await sleep(50);
    const before = holdingsOf(process.pid);
    await run(200);
    const left = await leftAfter(before);
    temporary.leave();
    assert.deepEqual(left, []);
  });
});
