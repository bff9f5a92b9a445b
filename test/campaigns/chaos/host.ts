/** The host of a campaign as its killer sees it: started, asked, killed, and what is left of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { holdingsOf, leftBetween, NOTHING_HELD } from '../../support/leak-check.js';
import {
  descendants,
  eventually,
  processesInSessions,
  sessionOf,
  startTimeOf,
  statusField,
} from '../../support/processes.js';

const PROGRAM = fileURLToPath(new URL('host.mjs', import.meta.url));

/** How long what is killed may take to be gone, on a machine that has much else to do, ms. */
const GONE_MS = 20_000;
/** How long a host may take to start, or to end, ms. */
const HOST_MS = 60_000;
/** For what a stopped host had begun to start: its session is known once it has one of its own. */
const SETTLE_MS = 20;

function isAlive(pid: number): boolean {
  return !/^Z|^$/.test(statusField(pid, 'State'));
}

export interface Answer {
  ok: boolean;
  /** From the question to the end of the first run that succeeded. */
  ms: number;
  attempts: number;
}

export class ChaosHost {
  readonly #process: ChildProcess;
  readonly #temporary: string;

  private constructor(process: ChildProcess, temporary: string) {
    this.#process = process;
    this.#temporary = temporary;
  }

  /** Resolves when it is at work. */
  static async start(poolBackend: string, commandBackends: readonly string[]): Promise<ChaosHost> {
    const temporary = mkdtempSync(join(tmpdir(), 'wardenpool-chaos-'));
    chmodSync(temporary, 0o755); // commands of a root host are another user's
    const child = fork(PROGRAM, [poolBackend, commandBackends.join(',')], {
      execArgv: [],
      env: { ...process.env, TMPDIR: temporary },
    });
    const host = new ChaosHost(child, temporary);
    await host.#said('atWork');
    return host;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** How long it takes, from now on, until a run succeeds. */
  async answer(): Promise<Answer> {
    const said = this.#said('answer');
    this.#process.send('answer');
    return (await said) as Answer;
  }

  /** SIGKILL. Resolves to what is left after a while: nothing, but for what is documented. */
  async kill(): Promise<{ left: string[]; goneMs: number }> {
    const { pid } = this;
    const exit = once(this.#process, 'exit');
    // Stopped first, so that it starts nothing while its processes are counted.
    process.kill(pid, 'SIGSTOP');
    await sleep(SETTLE_MS);
    const all = new Map(descendants(pid).map((each) => [each, startTimeOf(each)]));
    const sessions = new Set([...all.keys()].map((each) => sessionOf(each) ?? 0));
    for (const ours of [0, sessionOf(process.pid) ?? 0]) sessions.delete(ours);
    const killedAt = performance.now();
    process.kill(pid, 'SIGKILL');
    await exit;
    let still: number[] = [];
    await eventually(() => {
      const same = [...all].filter(([each, startedAt]) => startTimeOf(each) === startedAt);
      // One that is dead is init's to reap, since its parent was killed, and init may take its time.
      still = [...new Set([...same.map(([each]) => each), ...processesInSessions(sessions)])].filter(isAlive);
      return still.length === 0;
    }, GONE_MS);
    const goneMs = performance.now() - killedAt;
    const left = [
      ...still.map((each) => `process ${each}, ${statusField(each, 'Name')}: ${statusField(each, 'State')}`),
      // Documented: a command's private directories, on the backends that have some, and its cgroups, until another host looks.
      ...readdirSync(this.#temporary)
        .filter((name) => !name.startsWith('wardenpool-'))
        .map((name) => `temporary entry ${name}`),
    ];
    rmSync(this.#temporary, { recursive: true, force: true });
    return { left, goneMs };
  }

  /** Ends as it should. Resolves to what is left. */
  async close(): Promise<string[]> {
    const exit = once(this.#process, 'exit');
    this.#process.send('close');
    const ended = await Promise.race([exit, sleep(HOST_MS, undefined, { ref: false })]);
    if (ended === undefined) {
      await this.kill();
      return [`the host, which did not end within ${HOST_MS} ms`];
    }
    const left = leftBetween(NOTHING_HELD, holdingsOf(this.pid, this.#temporary));
    if (ended[0] !== 0) left.push(`the host's exit code ${ended[0]}`);
    rmSync(this.#temporary, { recursive: true, force: true });
    return left;
  }

  /** Its next message with this member. Rejects if it ends before, or says nothing for too long. */
  async #said(member: string): Promise<unknown> {
    const child = this.#process;
    return await new Promise((resolve, reject) => {
      const onMessage = (message: Record<string, unknown>) => {
        if (member in message) settle(() => resolve(message[member]));
      };
      const onExit = (code: number | null, signal: string | null) =>
        settle(() => reject(new Error(`the host ended (${code ?? signal}) before it said '${member}'`)));
      const timer = setTimeout(
        () => settle(() => reject(new Error(`the host did not say '${member}' within ${HOST_MS} ms`))),
        HOST_MS,
      );
      function settle(end: () => void): void {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        end();
      }
      child.on('message', onMessage);
      child.on('exit', onExit);
    });
  }
}
