/** A host in a process of its own, whose limits a test lowers: see limited-host.mjs. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MissingCapability, SandboxOutcome } from 'wardenpool/executor';
import { readableCopy } from '../support/readable-copy.js';
import { limitResource } from '../support/resource-limit.js';

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
  readonly #ended: Promise<never>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#ended = once(process, 'exit').then(([code, signal]) =>
      assert.fail(`the host ended with ${code ?? signal}`),
    );
    this.#ended.catch(() => {});
  }

  /** `before`: a command that runs Node. */
  static async start(
    before: readonly string[] = [],
    environment: Record<string, string> = {},
  ): Promise<LimitedHost> {
    const copy = readableCopy();
    const script = join(copy, 'limited-host.mjs');
    copyFileSync(HOST, script);
    const entries = ['dist/index.js', 'dist/executor/index.js'].map(
      (entry) => pathToFileURL(join(copy, entry)).href,
    );
    const [program = '', ...args] = [...before, process.execPath, script, ...entries];
    const child = spawn(program, args, {
      cwd: copy,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], ...environment },
    });
    const host = new LimitedHost(child);
    await host.#next();
    return host;
  }

  async ask(action: string, backend?: string): Promise<Answer> {
    const answer = this.#next();
    this.#process.send({ action, backend });
    return answer;
  }

  #next(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#process.once('message', (message) => resolve(message as Answer));
      this.#ended.catch(reject);
    });
  }

  /** `limit`: of prlimit(1), as `--nofile=20:`. Its soft part can be raised again. */
  limit(limit: string): void {
    limitResource(this.pid, limit);
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
