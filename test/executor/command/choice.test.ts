import assert from 'node:assert/strict';
import { type MissingCapability, readOnly, type SandboxUnavailable } from 'wardenpool/executor';
import { BACKENDS_FOR_COMMANDS, probeForCommands } from '../../../src/executor/command/backends.js';
import { whereRefused } from '../../support/where-refused.js';
import {
  directory,
  missingFor,
  policyWith,
  removeDirectories,
  run,
  UNCONFINED,
  withPath,
} from './run-command.js';

describe('executor: the choice of a backend for commands', () => {
  afterEach(removeDirectories);

  it('has one order', () => {
    assert.deepEqual(
      BACKENDS_FOR_COMMANDS.map(({ name }) => name),
      ['namespaces', 'bubblewrap', 'seatbelt', 'posix'],
    );
  });

  it('takes namespaces where they can be had', async () => {
    const { receipt } = await run(['true'], { policy: readOnly() });
    assert.equal(receipt.backend.name, 'namespaces');
    assert.equal(receipt.backend.refused, undefined);
  });

  it('takes the one that is named', async () => {
    for (const backend of ['namespaces', 'bubblewrap'] as const) {
      const { receipt } = await run(['true'], { policy: readOnly(), backend });
      assert.equal(receipt.backend.name, backend);
    }
  });

  it('has no posix in "auto", not even for a policy that confines nothing', async () => {
    const { receipt } = await run(['true'], { policy: UNCONFINED, backend: 'posix' });
    assert.equal(receipt.backend.name, 'posix');
    const missing = await missingFor(['true'], {
      policy: {
        ...UNCONFINED,
        network: { mode: 'mediated', allow: [{ protocol: 'tcp', host: 'example.org', port: 443 }] },
      },
    });
    assert.ok(missing.length > 0);
    assert.ok(missing.every((text) => !text.startsWith('posix')));
  });

  it('names everything that is missing, of every backend that it considered', async () => {
    const policy = policyWith(
      [
        { access: 'write', path: { root: 'workspace' } },
        { access: 'deny', path: { root: 'workspace', relative: 'later' } },
      ],
      { network: { mode: 'mediated', allow: [{ protocol: 'tcp', host: 'example.org', port: 443 }] } },
    );
    const missing = await withPath(directory(), () =>
      missingFor(['/bin/true'], { policy, workspace: directory(), limits: { tempInodes: 100 } }),
    );
    assert.deepEqual(
      missing.map((text) => text.split(': ').slice(0, 2).join(': ')),
      [
        'namespaces: network-mediated',
        'bubblewrap: lifecycle',
        'bubblewrap: fs-protect-create',
        'bubblewrap: network-mediated',
        'bubblewrap: limits.tempInodes',
      ],
    );
  });

  it('names what no backend can enforce once, without a backend, and blames no machine for it', async () => {
    const rule = { access: 'read', path: { absolute: '/opt' }, scope: 'exact' } as const;
    const options = { policy: policyWith([rule]) };
    assert.deepEqual(
      (await missingFor(['true'], options)).map((text) => text.split(': ').slice(0, 3).join(': ')),
      ['undefined: fs-read: the rule "read" is for exactly /opt, which is a directory'],
    );
    await assert.rejects(run(['true'], options), (error: SandboxUnavailable) => {
      assert.equal(error.code, 'SANDBOX_UNAVAILABLE');
      assert.doesNotMatch(error.message, /machine/);
      return true;
    });
  });

  it('names capabilities that lack for one reason in one sentence', async () => {
    await assert.rejects(run(['true'], { policy: readOnly(), backend: 'posix' }), {
      message:
        'nothing was run, as not all that is asked for can be had: posix: fs-read, fs-write, network-none, process-tree: ' +
        'needed for the policy, and never there in the posix backend (use another backend, or a policy that does not need it)',
    });
  });

  it('runs nothing where user namespaces are refused, and says so of each backend', async () => {
    const program = `
      import { readOnly, spawnIsolated } from 'wardenpool/executor';
      const { missing } = await spawnIsolated(['true'], { policy: readOnly() }).wait().catch((error) => error);
      console.log(JSON.stringify(missing));
    `;
    const said = await whereRefused([process.execPath, '--input-type=module', '-e', program]);
    const missing = JSON.parse(said) as MissingCapability[];
    assert.deepEqual(
      missing.map(({ backend }) => backend),
      ['namespaces', 'bubblewrap'],
    );
    assert.match(missing[0]?.reason ?? '', /could not /);
    assert.match(missing[1]?.reason ?? '', /could not have the sandbox made \(bwrap: .*namespace/);
  });

  it('refuses seccomp, whose filter is for our own runner', async () => {
    const missing = await missingFor(['true'], { policy: readOnly(), backend: 'seccomp' });
    assert.match(missing.join(), /^seccomp: commands: its filter is for wardenpool’s own runner/);
  });

  it('tells of each backend whether it runs commands here, and what it has then', async () => {
    const found = await probeForCommands('bubblewrap');
    assert.deepEqual([found?.available, found?.missing], [true, []]);
    assert.ok(found?.offers.has('fs-deny') && !found.offers.has('fs-protect-create'));
    const seatbelt = await probeForCommands('seatbelt');
    assert.equal(seatbelt?.available, false);
    assert.match(seatbelt?.missing[0]?.reason ?? '', /macOS/);
    assert.equal(await probeForCommands('seccomp'), undefined);
  });
});
