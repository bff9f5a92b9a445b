/** Where user namespaces are refused: 'auto' is the seccomp backend, what needs more rejects, and all of it is explained. */
import assert from 'node:assert/strict';
import type { RunResult } from 'wardenpool';
import { asOrdinaryUser, ORDINARY_USER, readableCopy } from '../support/readable-copy.js';
import { importWhereRefused, whereRefused } from '../support/where-refused.js';

interface Missing {
  capability: string;
  reason: string;
  remedy: string;
  backend?: string;
}

interface Outcome {
  name?: string;
  message?: string;
  missing?: Missing[];
}

const creating = (options: string) => `
  import { createPool } from 'wardenpool';
  try {
    await createPool(${options});
    console.log(JSON.stringify({ created: true }));
  } catch (error) {
    console.log(JSON.stringify({ name: error.name, message: error.message, missing: error.missing }));
  }
`;

const RUNNING = `
  import { createPool } from 'wardenpool';
  const pool = await createPool({ threads: 2 });
  const tools = { double: ({ value }) => ({ value: value * 2 }) };
  const run = await pool.run('return (await tools.double({ value: 21 })).value', tools);
  const late = await pool.run('for(;;);', {}, { limits: { timeoutMs: 100 } });
  const large = await pool.run('const all = []; for (;;) all.push(new Array(100000).fill(1));');
  const many = await Promise.all(
    Array.from({ length: 200 }, (_, value) => pool.run(\`return (await tools.double({ value: \${value} })).value\`, tools)));
  const other = await createPool({ threads: 1 });
  const { receipt } = await other.run('return 1');
  await Promise.all([pool.close(), other.close()]);
  console.log(JSON.stringify({ run, late, large, many: many.map(({ value }) => value), receipt }));
`;

interface Running {
  run: RunResult<number>;
  late: RunResult<unknown>;
  large: RunResult<unknown>;
  many: number[];
  receipt: RunResult<unknown>['receipt'];
}

function assertRuns({ run, late, large, many, receipt }: Running): void {
  assert.equal(run.ok && run.value, 42);
  assert.equal(!late.ok && late.error.kind, 'timeout');
  assert.equal(!large.ok && large.error.kind, 'memory');
  assert.deepEqual(
    many,
    Array.from({ length: 200 }, (_, value) => value * 2),
  );
  // The second pool was told what the first had found out.
  for (const { backend, isolation } of [run.receipt, late.receipt, large.receipt, receipt]) {
    assert.equal(backend.name, 'seccomp');
    assert.equal(backend.refused?.length, 1);
    assert.equal(backend.refused?.[0]?.name, 'namespaces');
    assert.match(backend.refused?.[0]?.reason ?? '', /^user-namespaces: could not create user, mount, PID/);
    assert.deepEqual(new Set(Object.values(isolation.namespaces)), new Set(['host']));
    assert.equal(isolation.noNewPrivs, true);
  }
}

describe('where user namespaces are refused', () => {
  it('createPool() takes the seccomp backend, runs programs on it, and receipts say why', async () => {
    assertRuns(await importWhereRefused<Running>(RUNNING));
  });

  it('it does so for an ordinary user', async () => {
    const where = { before: asOrdinaryUser, cwd: readableCopy() };
    const running = await importWhereRefused<Running>(RUNNING, where);
    assertRuns(running);
    // Not root has mapped itself to root there, for it to be allowed to set the sysctl.
    if (process.geteuid?.() === 0) assert.equal(running.receipt.isolation.userId, ORDINARY_USER);
  });

  it('createPool() on namespaces fails without harm to the process while its other threads are still starting', async () => {
    const names = await importWhereRefused<string[]>(`
      import { createPool } from 'wardenpool';
      const names = [];
      for (let i = 0; i < 3; i++) {
        const created = Array.from({ length: 2 }, () => createPool({ threads: 4, backend: 'namespaces' }));
        for (const { reason } of await Promise.allSettled(created)) names.push(reason.name);
      }
      console.log(JSON.stringify(names));`);
    assert.deepEqual(names, new Array(6).fill('SandboxUnavailableError'));
  });

  it('createPool() on namespaces rejects, naming what is missing and what would allow it', async () => {
    const outcome = await importWhereRefused<Outcome>(creating(`{ backend: 'namespaces' }`));
    assert.equal(outcome.name, 'SandboxUnavailableError');
    assert.equal(outcome.missing?.length, 1);
    const [missing] = outcome.missing ?? [];
    assert.equal(missing?.capability, 'user-namespaces');
    assert.equal(missing?.backend, 'namespaces');
    assert.match(missing?.reason ?? '', /create user, mount, PID/);
    assert.match(missing?.remedy ?? '', /sysctl -w user\.max_user_namespaces/);
    assert.match(outcome.message ?? '', /namespaces: user-namespaces/);
  });

  it('createPool() with strict isolation rejects, naming what each backend lacks', async () => {
    const outcome = await importWhereRefused<Outcome>(creating(`{ isolation: 'strict' }`));
    assert.equal(outcome.name, 'SandboxUnavailableError');
    assert.deepEqual(
      outcome.missing?.map(({ backend, capability }) => [backend, capability]),
      [
        ['namespaces', 'user-namespaces'],
        ['seccomp', 'private-namespaces'],
      ],
    );
  });

  it('pools that are created at the same time come to the same backend', async () => {
    const names = await importWhereRefused<string[]>(`
      import { createPool } from 'wardenpool';
      const pools = await Promise.all(Array.from({ length: 4 }, () => createPool({ threads: 2 })));
      const names = [];
      for (const pool of pools) names.push((await pool.run('return 1')).receipt.backend.name);
      for (const pool of pools) await pool.close();
      console.log(JSON.stringify(names));`);
    assert.deepEqual(names, new Array(4).fill('seccomp'));
  });

  it('the doctor says so, who refuses them, and what would change it', async () => {
    const report = await whereRefused([process.execPath, 'dist/cli/main.js', 'doctor']);
    assert.match(report, /^namespaces +user refused, it seems by the sysctl user\.max_user_namespaces/m);
    assert.match(report, /^Code Mode +no +yes +–/m);
    assert.match(report, /^namespaces +Code Mode: cannot run here$/m);
    assert.match(report, /remedy .*max_user_namespaces/);
    assert.match(report, /Code Mode runs here, on the seccomp backend/);
  });
});
