import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { descendants, eventually, namespaceOf, processesInUserNamespaces } from '../support/processes.js';

const HOST = fileURLToPath(new URL('../support/child-host.mjs', import.meta.url));

describe('death of the host', () => {
  it('takes every process along at once, when the host is killed in the middle of 50 runs', async () => {
    const host = fork(HOST, ['wardenpool', 'flood'], { execArgv: [] });
    try {
      const [message] = await once(host, 'message');
      assert.equal(message, 'flooded');
      const below = descendants(host.pid ?? assert.fail());
      // Launchers and sandboxes live in user namespaces of their own, and whatever they start does too.
      const namespaces = new Set(below.map((pid) => namespaceOf(pid, 'user') ?? ''));
      namespaces.delete(namespaceOf('self', 'user') ?? '');
      namespaces.delete('');
      assert.equal(namespaces.size, 2, 'one for each launcher');
      assert.ok(processesInUserNamespaces(namespaces).length > 10);

      host.kill('SIGKILL');
      await once(host, 'exit');
      // Measured: half a second on two slow cores. The bound is for machines that are busy otherwise.
      assert.ok(
        await eventually(() => processesInUserNamespaces(namespaces).length === 0, 3_000),
        `left: ${processesInUserNamespaces(namespaces)}`,
      );
    } finally {
      host.kill('SIGKILL');
    }
  });
});
