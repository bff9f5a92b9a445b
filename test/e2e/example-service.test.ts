/** examples/http-service.mjs, as a client sees it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const EXAMPLE = fileURLToPath(new URL('../../examples/http-service.mjs', import.meta.url));

const RUNNING = 'wardenpool_executions_running 1';

describe('examples/http-service.mjs', () => {
  let service: ChildProcess;
  let address: string;

  before(async () => {
    const environment = { ...process.env, PORT: '0' };
    const child = spawn(process.execPath, [EXAMPLE], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    service = child;
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    address = line.replace('listening on ', '');
  });
  after(() => service.kill('SIGKILL'));

  function post(code: string, key = 'key-of-acme', signal?: AbortSignal): Promise<Response> {
    return fetch(`${address}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
      signal: signal ?? null,
    });
  }

  /** Fails if the metrics do not have this line within 20 seconds. */
  async function metricsShow(line: string): Promise<void> {
    const until = performance.now() + 20_000;
    for (;;) {
      const metrics = await (await fetch(`${address}/metrics`)).text();
      if (metrics.split('\n').includes(line)) return;
      assert.ok(performance.now() < until, `there is no ${line} in\n${metrics}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('runs a program with the tools of its tenant', async () => {
    const code = 'return (await tools.orders({ paid: false })).map(({ id }) => id)';
    for (const [key, ids] of [
      ['key-of-acme', [2]],
      ['key-of-zeta', [3]],
    ] as const) {
      const response = await post(code, key);
      assert.equal(response.status, 200);
      const { ok, value } = (await response.json()) as { ok: boolean; value: unknown };
      assert.deepEqual({ ok, value }, { ok: true, value: ids });
    }
  });

  it('answers what a program did wrong like any other result', async () => {
    const response = await post('return nothing');
    assert.equal(response.status, 200);
    const { ok, error } = (await response.json()) as { ok: boolean; error: { kind: string } };
    assert.deepEqual([ok, error.kind], [false, 'javascript']);
  });

  it('refuses an unknown key, and a body that is none', async () => {
    assert.equal((await post('return 1', 'key-of-nobody')).status, 401);
    const headers = { authorization: 'Bearer key-of-acme', 'content-type': 'application/json' };
    for (const body of ['{}', '{"code": 5}', '{"code": null}', '{"code": ["return 1"]}'])
      assert.equal((await fetch(`${address}/run`, { method: 'POST', headers, body })).status, 400, body);
  });

  it('stops the program of a client that hangs up', async () => {
    const client = new AbortController();
    const answer = post('await tools.wait({ ms: 10_000 })', 'key-of-acme', client.signal);
    await metricsShow(RUNNING);
    client.abort();
    await assert.rejects(answer, { name: 'AbortError' });
    await metricsShow('wardenpool_executions_total{outcome="aborted"} 1');
    await metricsShow('wardenpool_executions_running 0');
  });

  it('on SIGTERM finishes what runs, and ends by itself', async () => {
    // Seen to run, and told to end, long before it has waited.
    const answer = post('await tools.wait({ ms: 5_000 }); return "finished"');
    await metricsShow(RUNNING);
    service.kill('SIGTERM');
    const { value } = (await (await answer).json()) as { value: unknown };
    assert.equal(value, 'finished');
    if (service.exitCode === null) await once(service, 'exit');
    assert.equal(service.exitCode, 0);
  });
});
