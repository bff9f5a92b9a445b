/** What the pools of a process tell each other about backends. */
import assert from 'node:assert/strict';
import type { BackendChoice } from '../../src/pool/backend-choice.js';
import { deferred } from './deferred.js';

type Module = typeof import('../../src/pool/backend-choice.js');

const AUTO = { backend: 'auto', isolation: 'default' } as const;
const SECCOMP: BackendChoice = {
  backend: 'seccomp',
  refused: [
    { backend: 'namespaces', missing: [{ capability: 'user-namespaces', reason: 'no', remedy: 'none' }] },
  ],
};

describe('pool: choice of a backend', () => {
  let count = 0;
  let openOnBackend: Module['openOnBackend'];
  beforeEach(async () => {
    // A module of its own for each, since what it remembers is for the whole process.
    const fresh: Module = await import(`../../src/pool/backend-choice.js?${count++}`);
    openOnBackend = fresh.openOnBackend;
  });

  /** Opens, and gives what it was told to open on. */
  async function told(settings: Parameters<Module['openOnBackend']>[0], finds: BackendChoice) {
    let choice: BackendChoice | undefined;
    await openOnBackend(settings, async (given) => {
      choice = given;
      return { choice: given.backend === 'auto' ? finds : given };
    });
    return choice;
  }

  it('tells the next pool what the first found, and why', async () => {
    assert.deepEqual(await told(AUTO, SECCOMP), { backend: 'auto', refused: [] });
    assert.deepEqual(await told(AUTO, SECCOMP), SECCOMP);
  });

  it('tells nothing to a pool that names its backend, nor to one of another isolation', async () => {
    await told(AUTO, SECCOMP);
    const named = await told({ backend: 'namespaces', isolation: 'default' }, SECCOMP);
    assert.deepEqual(named, { backend: 'namespaces', refused: [] });
    const strict = await told({ backend: 'auto', isolation: 'strict' }, SECCOMP);
    assert.deepEqual(strict, { backend: 'auto', refused: [] });
  });

  it('lets a pool wait for the decision of one that is being opened', async () => {
    const opened = deferred<BackendChoice>();
    const first = openOnBackend(AUTO, async () => ({ choice: await opened.promise }));
    const second = told(AUTO, SECCOMP);
    opened.resolve(SECCOMP);
    await first;
    assert.deepEqual(await second, SECCOMP);
  });

  it('keeps nothing of a failure: neither of the first, nor of what was decided before', async () => {
    const fails = () => openOnBackend(AUTO, () => Promise.reject(new Error('refused')));
    await assert.rejects(fails, /refused/);
    assert.deepEqual(await told(AUTO, SECCOMP), { backend: 'auto', refused: [] });
    await assert.rejects(fails, /refused/);
    assert.deepEqual(await told(AUTO, SECCOMP), { backend: 'auto', refused: [] });
  });
});
