/** What the doctor finds on the machine of these tests, and where something was taken away from it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BackendReport } from '../../src/executor/backend.js';
import type { CapacityCheck, PoolSize } from '../../src/executor/capacity.js';
import type { MachineFacts } from '../../src/executor/machine.js';
import { asOrdinaryUser, readableCopy } from '../support/readable-copy.js';
import { MAIN, wardenpool } from './command.js';

interface Report {
  machine: MachineFacts;
  backends: BackendReport[];
  backend: string | null;
  pool: PoolSize;
  capacity: CapacityCheck[];
}

/** Through a command that takes something away from it first. `main`: the command line's entry point. */
async function doctorUnder(command: string[], main = MAIN): Promise<{ code: number; report: Report }> {
  const [file = '', ...args] = [...command, process.execPath, main, 'doctor', '--json'];
  const { code, stdout } = await promisify(execFile)(file, args).then(
    (done) => ({ code: 0, ...done }),
    (error: { code: number; stdout: string }) => error,
  );
  return { code, report: JSON.parse(stdout) as Report };
}

const reportOf = ({ backends }: Report, name: string): BackendReport =>
  backends.find(({ backend }) => backend === name) ?? assert.fail(`no report of ${name}`);

describe('wardenpool doctor', () => {
  it('reports as JSON each backend, the machine, and what there is enough of', async () => {
    const { code, stdout } = await wardenpool(['doctor', '--json']);
    assert.equal(code, 0);
    const report = JSON.parse(stdout) as Report;
    assert.equal(report.backend, 'namespaces');
    assert.deepEqual(
      report.backends.map(({ backend }) => backend),
      ['namespaces', 'seccomp', 'bubblewrap', 'seatbelt', 'posix'],
    );
    const namespaces = reportOf(report, 'namespaces');
    assert.deepEqual(namespaces.codeMode, { available: true, missing: [] });
    assert.equal(namespaces.capabilities['private-namespaces'], true);
    const seccomp = reportOf(report, 'seccomp');
    assert.deepEqual(seccomp.codeMode, { available: true, missing: [] });
    assert.deepEqual(seccomp.capabilities, {
      lifecycle: true,
      'fs-deny': true,
      'network-none': true,
      'process-tree': true,
    });
    assert.equal(seccomp.commands.available, false);
    assert.equal(seccomp.isolation?.namespaces.pid, 'host');
    const { survey, addon } = report.machine;
    assert.equal(survey?.calls['seccomp'], 'yes');
    assert.equal(survey?.calls['close_range'], 'yes');
    assert.ok((survey?.nesting.user ?? 0) >= 1 && (survey?.nesting.pid ?? 0) >= 2);
    assert.match('libc' in addon ? addon.libc : '', /^glibc 2\./);
    assert.equal(report.pool.concurrency, report.pool.threads * 256);
  });

  it('reports the same as text, ending in a verdict', async () => {
    const { code, stdout } = await wardenpool(['doctor']);
    assert.equal(code, 0);
    assert.match(stdout, /^kernel +(all of the \d+ calls|\w+ (missing|refused))/m);
    assert.match(stdout, /^namespaces +user \d+ deep from here; PID \d+ deep/m);
    assert.match(stdout, /^cgroups +(none|v1|v2)/m);
    assert.match(stdout, /^process-tree +yes +yes +yes/m);
    assert.match(stdout, /^private-namespaces +yes +– +yes/m);
    assert.match(stdout, /open files \(RLIMIT_NOFILE\): [\d,]+ of /);
    assert.match(stdout, /Code Mode runs here, on the namespaces backend\.\n$/);
  });

  it('adds up what --concurrency needs, and says what there is too little of', async () => {
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'ulimit -n 1000 && exec "$@"',
      'sh',
      process.execPath,
      MAIN,
      'doctor',
      '--concurrency',
      '10000',
    ]);
    assert.match(stdout, /^capacity +for 10,000 runs at once/m);
    assert.match(stdout, /NOT ENOUGH open files \(RLIMIT_NOFILE\): 3[\d,]+ of 1,000\n +remedy +raise it/);
  });

  it('refuses a --concurrency that is no number of runs', async () => {
    const { code, stderr } = await wardenpool(['doctor', '--concurrency', '0']);
    assert.equal(code, 125);
    assert.match(stderr, /whole number, from 1 to/);
  });

  it('finds the same for an ordinary user, who keeps its bounding set without namespaces', async () => {
    const main = join(readableCopy(), 'dist/cli/main.js');
    const { code, report } = await doctorUnder(asOrdinaryUser, main);
    assert.equal(code, 0);
    assert.equal(report.machine.root, false);
    assert.equal(report.backend, 'namespaces');
    assert.equal(reportOf(report, 'namespaces').isolation?.boundingSet, 'empty');
    assert.equal(reportOf(report, 'seccomp').isolation?.boundingSet, 'host');
  });

  for (const [taken, capability, remedy] of [
    ['setuid', 'process-tree', /CAP_SETUID/],
    ['kill', 'process-tree', /CAP_KILL/],
  ] as const) {
    it(`exits with 1 for root without ${taken}, which no backend can do without`, async () => {
      assert.equal(process.geteuid?.(), 0, 'this test needs root, to take a capability from it');
      const { code, report } = await doctorUnder([
        'setpriv',
        `--bounding-set=-${taken}`,
        `--inh-caps=-${taken}`,
      ]);
      assert.equal(code, 1);
      assert.equal(report.backend, null);
      for (const name of ['namespaces', 'seccomp']) {
        const { codeMode, capabilities } = reportOf(report, name);
        assert.equal(codeMode.missing[0]?.capability, capability);
        assert.match(codeMode.missing[0]?.remedy ?? '', remedy);
        assert.equal(capabilities['process-tree'], false);
      }
    });
  }
});
