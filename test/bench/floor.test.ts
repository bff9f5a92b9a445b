import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureFloor } from '../../bench/subjects/floor.js';
import { ONE_CALL, WORKLOADS } from '../../bench/workloads.js';
import { encodeExecute } from '../../src/bridge/encode.js';
import { FEATURES } from '../../src/bridge/protocol.js';
import { DEFAULT_LIMITS } from '../../src/pool/limits.js';
import {
  descendants,
  eventually,
  namespaceOf,
  processesInUserNamespaces,
  sandboxesOf,
} from '../support/processes.js';

const FLOOR = fileURLToPath(new URL('../../build/Release/floor', import.meta.url));
const COUNT = 8;
const USER = 12_345;

const MODES = [{}, { warm: true }, { strict: true }, { strict: true, warm: true }];

describe('the floor of the benchmark', () => {
  for (const workload of WORKLOADS) {
    for (const mode of MODES) {
      for (const inFlight of [1, 4]) {
        const how = ['floor', ...Object.keys(mode), `${inFlight} in flight`].join(', ');
        it(`runs "${workload.name}" (${how})`, async () => {
          const sample = await measureFloor(workload, inFlight, COUNT, mode);
          for (const [figure, value] of Object.entries(sample)) assert.ok(value > 0, `${figure}: ${value}`);
          assert.ok(sample.p50Ms <= sample.p99Ms);
        });
      }
    }
  }

  it('fails at a wrong answer, and says what differs', async () => {
    await assert.rejects(
      measureFloor({ ...ONE_CALL, answer: 43 }, 4, COUNT),
      /"ok":true,"result":42,.*in place of.*"ok":true,"result":43,/s,
    );
  });

  it('fails at a program that throws, and says what it threw', async () => {
    await assert.rejects(
      measureFloor({ ...ONE_CALL, program: "throw new Error('no luck')" }, 1, COUNT),
      /"ok":false,"error":\{"kind":"javascript","message":"no luck"/,
    );
  });

  it('fails at a tool that it does not have', async () => {
    const program = "return tools['text.echo']({ other: 1 })";
    await assert.rejects(measureFloor({ ...ONE_CALL, program }, 1, COUNT), /no such tool here: .*"other":1/);
  });

  it('sends the frame that a pool with default limits sends', () => {
    const code = 'return "\n";';
    const sent = execFileSync(FLOOR, ['--show-frame', '--program', code, '--tool', 'a', '--tool', 'b'], {
      encoding: 'utf8',
    });
    const { maxFrameBytes: _frame, maxCodeBytes: _code, ...limits } = DEFAULT_LIMITS;
    const { executionId } = JSON.parse(sent) as { executionId: string };
    assert.equal(
      sent,
      encodeExecute({ executionId, code, toolNames: ['a', 'b'], limits, features: FEATURES }),
    );
  });

  it('refuses a command line that it does not understand', () => {
    for (const options of [
      ['--count', '0'],
      ['--in-flight', 'x'],
      ['--nothing'],
      ['--program', '1', 'rest'],
      [],
    ]) {
      const { status, stderr } = spawnSync(FLOOR, options, { encoding: 'utf8' });
      assert.equal(status, 2, options.join(' '));
      assert.match(stderr, /^floor: /m);
    }
  });

  it('works for an ordinary user', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wardenpool-floor-'));
    try {
      const copy = join(folder, 'floor');
      copyFileSync(FLOOR, copy);
      chmodSync(folder, 0o755);
      const options = ['--in-flight', '2', '--count', String(COUNT), '--program', 'return 1;'];
      const output = execFileSync(copy, options, {
        cwd: folder,
        input: '1',
        encoding: 'utf8',
        ...(process.geteuid?.() === 0 && { uid: USER, gid: USER }),
      });
      assert.ok((JSON.parse(output) as { perSecond: number }).perSecond > 0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('leaves no process behind, when it is killed', async () => {
    const child = spawn(FLOOR, ['--in-flight', '4', '--count', '1000000', '--program', 'return 1;']);
    child.stdin.end('1');
    try {
      assert.ok(await eventually(() => sandboxesOf(process.pid).length > 0, 10_000), 'no sandbox ran');
      const namespaces = new Set(
        descendants(process.pid)
          .map((pid) => namespaceOf(pid, 'user'))
          .filter((namespace) => namespace !== undefined && namespace !== namespaceOf('self', 'user')),
      ) as Set<string>;
      assert.ok(namespaces.size > 0);
      child.kill('SIGKILL');
      assert.ok(await eventually(() => processesInUserNamespaces(namespaces).length === 0, 10_000));
    } finally {
      child.kill('SIGKILL');
    }
  });
});
