// scripts/audit.mjs with this machine's npm, which asks a registry of our own: it answers as each case wants.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const ADVISORY = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'A title',
  severity: 'high',
  vulnerable_versions: '<2.0.0',
  cwe: [],
  cvss: { score: 0, vectorString: null },
};
const EXCEPTION = {
  package: 'harmless',
  advisory: 'GHSA-aaaa-bbbb-cccc',
  reason: 'what it describes needs what we do not do',
  expires: '2999-01-01',
};
const VERSION = { name: 'harmless', version: '1.0.0' };

interface Case {
  /** By package; undefined: the registry does not have the service. */
  advisories: Record<string, unknown[]> | undefined;
  exceptions?: unknown[];
}

describe('scripts/audit.mjs', () => {
  let directory: string;
  let registry: Server;
  let answer: Case['advisories'];

  before((done) => {
    directory = mkdtempSync(join(tmpdir(), 'wardenpool-audit-'));
    for (const path of ['scripts', 'package.json']) {
      cpSync(join(root, path), join(directory, path), { recursive: true });
    }
    const packages = {
      '': { name: 'wardenpool', version: '0.1.0', dependencies: { harmless: '1.0.0' } },
      'node_modules/harmless': { version: '1.0.0', integrity: 'sha512-AA==' },
    };
    writeFileSync(
      join(directory, 'package.json'),
      JSON.stringify({ ...packages[''], type: 'module', engines: { node: '>=20.19' } }),
    );
    writeFileSync(
      join(directory, 'package-lock.json'),
      JSON.stringify({ name: 'wardenpool', version: '0.1.0', lockfileVersion: 3, packages }),
    );
    registry = createServer((request, response) => {
      request.resume();
      if (request.method === 'GET') {
        response.end(JSON.stringify({ name: 'harmless', versions: { '1.0.0': VERSION } }));
      } else if (answer === undefined) {
        response.writeHead(405).end();
      } else {
        response.end(JSON.stringify(answer));
      }
    }).listen(0, '127.0.0.1', done);
  });

  after(() => {
    registry.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function audit({ advisories, exceptions = [] }: Case): Promise<{ status: number; said: string }> {
    answer = advisories;
    writeFileSync(join(directory, 'scripts/audit-exceptions.json'), JSON.stringify(exceptions));
    const { port } = registry.address() as AddressInfo;
    const env = {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: join(directory, 'cache'),
      npm_config_fetch_retries: '0',
    };
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        ['scripts/audit.mjs'],
        { cwd: directory, env, timeout: 50_000 },
        (error, _stdout, stderr) => resolve({ status: Number(error?.code ?? 0), said: stderr }),
      );
    });
  }

  it('is content where nothing is known', async () => {
    assert.deepEqual(await audit({ advisories: {} }), {
      status: 0,
      said: 'wardenpool: audited: no advisory without an argument (0 in all)\n',
    });
  });

  it('fails on an advisory that nobody argued away, and names it', async () => {
    const { status, said } = await audit({ advisories: { harmless: [ADVISORY] } });
    assert.equal(status, 1);
    assert.match(said, /harmless: GHSA-aaaa-bbbb-cccc \(high\): A title; update the package, or argue in/);
  });

  it('is content with one that was', async () => {
    const { status, said } = await audit({ advisories: { harmless: [ADVISORY] }, exceptions: [EXCEPTION] });
    assert.equal(status, 0, said);
  });

  it('fails on an argument that is over', async () => {
    const { status, said } = await audit({
      advisories: { harmless: [ADVISORY] },
      exceptions: [{ ...EXCEPTION, expires: '2020-01-01' }],
    });
    assert.equal(status, 1);
    assert.match(said, /the argument about GHSA-aaaa-bbbb-cccc ended on 2020-01-01/);
  });

  it('fails on an argument that no advisory needs any more', async () => {
    const { status, said } = await audit({ advisories: {}, exceptions: [EXCEPTION] });
    assert.equal(status, 1);
    assert.match(said, /GHSA-aaaa-bbbb-cccc is argued away and not reported any more/);
  });

  it('fails on an exception without a reason, or without an end', async () => {
    const { status, said } = await audit({
      advisories: {},
      exceptions: [{ ...EXCEPTION, reason: '', expires: 'never' }],
    });
    assert.equal(status, 1);
    assert.match(said, /has no valid reason, expires;/);
  });

  it('says that nothing is known where the registry has no advisories', async () => {
    const { status, said } = await audit({ advisories: undefined });
    assert.equal(status, 75);
    assert.match(said, /not audited: .*405/);
  });
});
