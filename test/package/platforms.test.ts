/**
 * The packed package where it has no binaries to load: importing it works, createPool() says what is in the way. The other systems
 * are not to be had here: a process says of itself that it is one, and node-gyp-build believes it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyMissing } from '../../src/executor/missing-addon.js';
import { installedProject, type Project } from './project.js';

interface Rejection {
  name: string;
  code: string;
  message: string;
  missing: { capability: string; reason: string; remedy: string }[];
}

const CREATE = `
  import { createPool } from 'wardenpool';
  import 'wardenpool/executor';
  console.log('imported');
  await createPool().catch(({ name, code, message, missing }) =>
    console.log(JSON.stringify({ name, code, message, missing })));
`;

/** Runs first in the process, and in each of its threads. */
const onSystem = (platform: string, arch: string): string[] => [
  '--import',
  `data:text/javascript,Object.defineProperties(process,{platform:{value:'${platform}'},arch:{value:'${arch}'}})`,
];

describe('the packed package on a machine that it is not for', function () {
  this.timeout(300_000);
  let project: Project;
  before(() => {
    project = installedProject();
  });

  function rejection(options: string[], environment: Record<string, string> = {}): Rejection {
    const script = join(project.folder, 'create.mjs');
    writeFileSync(script, CREATE);
    const { stdout, stderr } = spawnSync(process.execPath, [...options, script], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      timeout: 60_000,
    });
    assert.equal(stderr, '');
    const [first, second = ''] = stdout.trimEnd().split('\n');
    assert.equal(first, 'imported');
    const rejected = JSON.parse(second) as Rejection;
    assert.equal(rejected.name, 'SandboxUnavailableError');
    assert.equal(rejected.code, 'SANDBOX_UNAVAILABLE');
    assert.equal(rejected.missing.length, 1);
    return rejected;
  }

  it('macOS: sandboxes need the Linux kernel', () => {
    const { message } = rejection(onSystem('darwin', 'arm64'));
    assert.match(message, /sandboxes are made by the Linux kernel, and this is macOS \(darwin-arm64\)/);
    assert.match(message, /a virtual machine or a container will do/);
  });

  it('Windows: the same', () => {
    assert.match(
      rejection(onSystem('win32', 'x64')).message,
      /Linux kernel, and this is win32 \(win32-x64\)/,
    );
  });

  it('another processor: there are no binaries for it', () => {
    const { message } = rejection(onSystem('linux', 'riscv64'));
    assert.match(message, /could not be loaded on linux-riscv64 .*No native build was found/);
    assert.match(message, /build them in a clone/);
  });

  it('musl: its build is not taken for one that fits', () => {
    // node-gyp-build asks for this variable first, and then whether this is Alpine Linux.
    assert.match(rejection([], { LIBC: 'musl' }).message, /No native build was found for .*libc=musl/);
  });

  it('a package without the binaries of this machine', () => {
    const folder = join(project.folder, 'without');
    mkdirSync(folder);
    cpSync(join(project.installed, 'package.json'), join(folder, 'package.json'));
    cpSync(join(project.installed, 'prebuilds'), join(folder, 'prebuilds'), { recursive: true });
    rmSync(join(folder, 'prebuilds', `linux-${process.arch}`), { recursive: true });
    assert.match(rejection([], { WARDENPOOL_PREBUILD: folder }).message, /No native build was found/);
  });
});

describe('why the addon is missing', () => {
  it('on musl: it is for glibc, and which image has that', () => {
    const runtime = { platform: 'linux', architecture: 'x64', glibc: undefined };
    const { reason, remedy } = whyMissing(runtime, 'Error loading shared library ld-linux-x86-64.so.2');
    assert.match(
      reason,
      /is for glibc, and this Node\.js has another C library, such as musl on Alpine Linux \(linux-x64\): Error/,
    );
    assert.match(remedy, /an image with glibc/);
  });

  it('on a glibc that is too old: what the dynamic linker said', () => {
    const runtime = { platform: 'linux', architecture: 'x64', glibc: '2.28' };
    assert.match(
      whyMissing(runtime, "version `GLIBC_2.32' not found").reason,
      /on linux-x64 with glibc 2\.28: version `GLIBC_2\.32' not found/,
    );
  });
});
