/**
 * One launcher process: started, listened to, and ended. It turns the addon's batches of events into calls on the sandboxes
 * concerned, and knows neither why a sandbox is wanted nor what it says.
 */
import {
  executablePath,
  type LauncherFacts,
  loadAddon,
  NativeEvent,
  type NativeEvents,
  type NativeExit,
  type NativeLauncher,
  NativeNamespaces,
} from './addon.js';
import { LauncherLost, SandboxUnavailable, SpawnFailed } from './errors.js';
import { missingCapability } from './remedies.js';
import { errorName, signalName } from './system-error.js';

/** The most that any run of this launcher's sandboxes may get. Bytes, milliseconds, counts; `cpuMs` 0: no ceiling. */
export interface Ceilings {
  memoryBytes: number;
  stackBytes: number;
  timeoutMs: number;
  cpuMs: number;
  maxToolCalls: number;
  maxConcurrentToolCalls: number;
  maxFrameBytes: number;
  maxResultBytes: number;
  maxLogBytes: number;
}

/** What a launcher tells one of its sandboxes. */
export interface SandboxEvents {
  spawned(): void;
  spawnFailed(error: SpawnFailed): void;
  data(chunk: Buffer): void;
  end(): void;
  /** What was queued for it has gone to the kernel. */
  drained?(): void;
  diagnostics(chunk: Buffer): void;
  /** The last event. */
  exited(exit: NativeExit): void;
}

export interface LauncherOptions {
  /** Absolute path; default: the launcher of this package. Tests put one with another runner there. */
  executable?: string;
  /** Bytes of one sandbox's diagnostics that are delivered; the rest is counted. */
  diagnosticsLimit: number;
  /** The launcher ended, whoever wanted it; every sandbox has had its last event. */
  onExit(launcher: Launcher): void;
}

export interface ZygoteOptions extends LauncherOptions {
  /** What its sandboxes have of namespaces; see `NativeNamespaces`. */
  namespaces: keyof typeof NativeNamespaces;
  ceilings: Ceilings;
}

const START_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 1_000;

export class Launcher {
  readonly #native: NativeLauncher;
  readonly #steps: Record<number, string>;
  readonly #sandboxes = new Map<number, SandboxEvents>();
  readonly #options: LauncherOptions;
  readonly #ended: Promise<void>;
  #resolveEnded: () => void = () => {};
  #onReady: (facts: LauncherFacts) => void = () => {};
  #onFailed: (error: Error) => void = () => {};
  #facts: LauncherFacts | undefined;
  #isOver = false;
  #holds = 0;
  #heardAt = 0;

  /** Starts a zygote. Rejects with `SandboxUnavailable` if this machine refuses a step of confinement. */
  static async start(options: ZygoteOptions): Promise<Launcher> {
    const launcher = new Launcher('zygote', options);
    const { ceilings: c } = options;
    // In the order of struct runner_ceilings in native/runner/runner.h.
    launcher.#native.configure(NativeNamespaces[options.namespaces], [
      c.memoryBytes,
      c.stackBytes,
      c.timeoutMs,
      c.cpuMs,
      c.maxToolCalls,
      c.maxConcurrentToolCalls,
      c.maxFrameBytes,
      c.maxResultBytes,
      c.maxLogBytes,
    ]);
    await launcher.whenReady();
    return launcher;
  }

  /** Starts a launcher for one command. It waits for `runCommand()`. Throws a system error. */
  static forCommand(options: LauncherOptions): Launcher {
    return new Launcher('command', options);
  }

  private constructor(mode: 'zygote' | 'command', options: LauncherOptions) {
    const addon = loadAddon();
    this.#options = options;
    this.#steps = addon.steps;
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#native = new addon.Launcher(
      options.executable ?? executablePath('wardenpool-launcher'),
      mode,
      options.diagnosticsLimit,
      (events) => this.#dispatch(events),
    );
  }

  /**
   * Has it confine and execute its command. Returns the command's number; throws a system error. `whenReady()` says how far
   * it came. `inherited`: our descriptors for 0, 1 and 2, or none for a bridge and a diagnostics pipe.
   */
  runCommand(
    events: SandboxEvents,
    plan: Buffer,
    inherited: readonly number[],
    preserved: readonly number[],
  ): number {
    const number = this.#native.runCommand(plan, inherited, preserved);
    this.#sandboxes.set(number, events);
    return number;
  }

  /** Resolves once it is confined. Rejects with `SandboxUnavailable` or `LauncherLost`, when it has ended. */
  async whenReady(): Promise<LauncherFacts> {
    let timer: NodeJS.Timeout | undefined;
    try {
      this.#facts = await new Promise<LauncherFacts>((resolve, reject) => {
        this.#onReady = resolve;
        this.#onFailed = reject;
        // Not unref'd: somebody waits for this launcher, and its own handle does not keep the process alive.
        timer = setTimeout(
          () => reject(new LauncherLost(`the launcher did not get ready within ${START_TIMEOUT_MS} ms`)),
          START_TIMEOUT_MS,
        );
      });
      return this.#facts;
    } catch (error) {
      this.#native.kill();
      await this.#endedWithin(CLOSE_TIMEOUT_MS);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** What is in force in every sandbox of this launcher. */
  get facts(): LauncherFacts {
    if (this.#facts === undefined) throw new Error('the launcher is not ready yet');
    return this.#facts;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** When the launcher last answered a request, or reported the end of a sandbox; as `performance.now()` has it. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** PID of the launcher, 0 once it is over. */
  get pid(): number {
    return this.#native.launcherPid();
  }

  /** Asks for a sandbox. Throws `SpawnFailed` if this process has no descriptors left, `LauncherLost` if it is over. */
  spawn(events: SandboxEvents): number {
    if (this.#isOver) throw new LauncherLost('the launcher is over');
    try {
      const number = this.#native.spawn();
      this.#sandboxes.set(number, events);
      return number;
    } catch (error) {
      const { message, errno = 0 } = error as NodeJS.ErrnoException;
      throw new SpawnFailed(`could not ask the launcher for a sandbox: ${message}`, 0, errno);
    }
  }

  /** False if the sandbox is over, or no longer reads. */
  write(sandbox: number, bytes: string | Buffer): boolean {
    return this.#native.write(sandbox, bytes);
  }

  pendingOf(sandbox: number): number {
    return this.#native.pending(sandbox);
  }

  endInput(sandbox: number): void {
    this.#native.endInput(sandbox);
  }

  setPaused(sandbox: number, paused: boolean): void {
    this.#native.setPaused(sandbox, paused);
  }

  setDiagnosticsPaused(sandbox: number, paused: boolean): void {
    this.#native.setDiagnosticsPaused(sandbox, paused);
  }

  /** What the sandbox still sends is for nobody: its writes fail from then on. */
  closeOutput(sandbox: number): void {
    this.#native.closeOutput(sandbox);
  }

  readAtExit(sandbox: number): void {
    this.#native.readAtExit(sandbox);
  }

  pidOf(sandbox: number): number {
    return this.#native.pid(sandbox);
  }

  /** Sandboxes that have used so much CPU time, ms, give way to the others from now on. */
  demoteBusy(cpuMs: number): void {
    this.#native.demote(cpuMs);
  }

  sendSignal(sandbox: number, signal: number): boolean {
    return this.#native.sendSignal(sandbox, signal);
  }

  /** Somebody waits for events: until as many calls of `release`, the event loop does not end. */
  hold(): void {
    if (this.#holds++ === 0) this.#native.keepAlive(true);
  }

  release(): void {
    if (--this.#holds === 0) this.#native.keepAlive(false);
  }

  /** Kills the launcher and with it every sandbox. */
  kill(): void {
    this.#native.kill();
  }

  /** Ends the launcher, at the latest by SIGKILL; resolves when the kernel has reported the end, or it never will. */
  async close(): Promise<void> {
    this.#native.close();
    if (await this.#endedWithin(CLOSE_TIMEOUT_MS)) return;
    this.#native.kill();
    await this.#endedWithin(CLOSE_TIMEOUT_MS);
  }

  async #endedWithin(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds);
    });
    try {
      return await Promise.race([this.#ended.then(() => true), expired]);
    } finally {
      clearTimeout(timer);
    }
  }

  #dispatch(events: NativeEvents): void {
    for (let index = 0; index < events.length; index += 3) {
      const number = events[index + 1] as number;
      const payload = events[index + 2];
      if (number === 0) this.#onLauncherEvent(events[index] as number, payload);
      else this.#onSandboxEvent(events[index] as number, number, payload);
    }
  }

  #onSandboxEvent(kind: number, number: number, payload: unknown): void {
    const sandbox = this.#sandboxes.get(number);
    if (sandbox === undefined) return;
    switch (kind) {
      case NativeEvent.data:
        sandbox.data(payload as Buffer);
        break;
      case NativeEvent.end:
        sandbox.end();
        break;
      case NativeEvent.drained:
        sandbox.drained?.();
        break;
      case NativeEvent.diagnostics:
        sandbox.diagnostics(payload as Buffer);
        break;
      case NativeEvent.spawned:
        this.#heardAt = performance.now();
        sandbox.spawned();
        break;
      case NativeEvent.spawnFailed: {
        const [step, errno] = payload as [number, number];
        this.#heardAt = performance.now();
        this.#sandboxes.delete(number);
        sandbox.spawnFailed(
          new SpawnFailed(`could not ${this.#steps[step]} (${errorName(errno)})`, step, errno),
        );
        break;
      }
      case NativeEvent.exited:
        this.#heardAt = performance.now();
        this.#sandboxes.delete(number);
        sandbox.exited(payload as NativeExit);
        break;
    }
  }

  #onLauncherEvent(kind: number, payload: unknown): void {
    if (kind === NativeEvent.ready) {
      this.#onReady(payload as LauncherFacts);
    } else if (kind === NativeEvent.failed) {
      const { step, errno, detail } = payload as { step: number; errno: number; detail: string };
      const text = this.#steps[step] ?? `take step ${step}`;
      this.#onFailed(
        isOfCommand(step)
          ? new SpawnFailed(`could not ${text}${said(errno, detail)}`, step, errno)
          : new SandboxUnavailable([missingCapability(step, text, errno, detail)]),
      );
    } else if (kind === NativeEvent.launcherExited) {
      this.#isOver = true;
      this.#onFailed(new LauncherLost(`the launcher ${describeWaitStatus(payload as number)}`));
      this.#resolveEnded();
      this.#options.onExit(this);
    }
  }
}

/** Whether a step depends on the command and its plan, and not on the machine alone: see `native/control/steps.h`. */
function isOfCommand(step: number): boolean {
  return step >= 70;
}

function said(errno: number, detail: string): string {
  const parts = [detail, errorName(errno)].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function describeWaitStatus(status: number): string {
  const signal = status & 0x7f;
  return signal === 0 ? `exited with code ${(status >> 8) & 0xff}` : `was killed by ${signalName(signal)}`;
}
