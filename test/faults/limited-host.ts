/** A host in a process of its own, whose limits a test lowers: see limited-host.mjs. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MissingCapability, SandboxOutcome } from 'wardenpool/executor';
import { readableCopy } from '../support/readable-copy.js';

const HOST = fileURLToPath(new URL('limited-host.mjs', import.meta.url));

export interface Answer {
  value?: unknown;
  error?: {
    name: string;
    message: string;
    code?: string;
    missing?: MissingCapability[];
    failure?: string;
    receipt?: SandboxOutcome;
  };
  descriptors?: number[];
}

export class LimitedHost {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** `before`: a command that runs Node. */
  static async start(
    before: readonly string[] = [],
    environment: Record<string, string> = {},
  ): Promise<LimitedHost> {
    const copy = readableCopy();
    const host = join(copy, 'limited-host.mjs');
    copyFileSync(HOST, host);
    const entries = ['dist/index.js', 'dist/executor/index.js'].map(
      (entry) => pathToFileURL(join(copy, entry)).href,
    );
    const [program = '', ...args] = [...before, process.execPath, host, ...entries];
    const child = spawn(program, args, {
      cwd: copy,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], ...environment },
    });
    const ended = once(child, 'exit').then(([code]) => assert.fail(`the host ended with ${code}`));
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => {});
    return new LimitedHost(child);
  }

  async ask(action: string, backend?: string): Promise<Answer> {
    const answer = once(this.#process, 'message');
    this.#process.send({ action, backend });
    const ended = once(this.#process, 'exit').then(([code, signal]) =>
      assert.fail(`the host ended with ${code ?? signal} at "${action}"`),
    );
    ended.catch(() => {});
    const [message] = (await Promise.race([answer, ended])) as [Answer];
    return message;
  }

  /** `limit`: of prlimit(1), as `--nofile=20:`. Its soft part can be raised again. */
  limit(limit: string): void {
    execFileSync('prlimit', ['--pid', String(this.#process.pid), limit], { stdio: 'pipe' });
  }

  async close(): Promise<void> {
    const exit = once(this.#process, 'exit');
    this.#process.disconnect();
    this.#process.kill();
    await exit;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }
}
