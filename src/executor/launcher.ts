/**
 * One launcher process: started, asked for sandboxes, and ended. Which event of its life leads where is in `launcher-transitions.ts`,
 * what its sandboxes are told in `sandbox-events.ts`. Must not know why a sandbox is wanted, nor what it says.
 */
import { constants } from 'node:os';
import { debuglog } from 'node:util';
import { threadId } from 'node:worker_threads';
import {
  executablePath,
  type LauncherFacts,
  loadAddon,
  NativeEvent,
  type NativeEvents,
  type NativeLauncher,
  NativeNamespaces,
} from './addon.js';
import { LauncherLost, SandboxUnavailable, SpawnFailed } from './errors.js';
import {
  END_WAIT_MS,
  LAUNCHER_TRANSITIONS,
  type LauncherEvent,
  type LauncherState,
  START_WAIT_MS,
} from './launcher-transitions.js';
import { missingCapability } from './remedies.js';
import { type SandboxEvents, SandboxTable } from './sandbox-events.js';
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

export interface LauncherOptions {
  /** Absolute path; default: the launcher of this package. Tests put one with another runner there. */
  executable?: string;
  /** Bytes of one sandbox's diagnostics that are delivered; the rest is counted. */
  diagnosticsLimit: number;
  /**
   * The launcher ended, whoever wanted it; every sandbox has had its last event. Or it was killed, and the kernel did not confirm its
   * end in time. Once.
   */
  onExit(launcher: Launcher): void;
}

export interface ZygoteOptions extends LauncherOptions {
  /** What its sandboxes have of namespaces; see `NativeNamespaces`. */
  namespaces: keyof typeof NativeNamespaces;
  ceilings: Ceilings;
}

const debug = debuglog('wardenpool');

const GONE = 'the launcher has ended, or is being ended';

export class Launcher {
  readonly #native: NativeLauncher;
  /** As it was known last, for a message about its end. Once it is over, it may be another's. */
  #lastPid: number;
  readonly #steps: Record<number, string>;
  readonly #sandboxes: SandboxTable;
  readonly #options: LauncherOptions;
  readonly #ready: Promise<LauncherFacts>;
  readonly #ended: Promise<void>;
  #resolveReady: (facts: LauncherFacts) => void = () => {};
  #rejectReady: (error: Error) => void = () => {};
  #resolveEnded: () => void = () => {};
  #state: LauncherState = 'starting';
  #timer: NodeJS.Timeout | undefined;
  #facts: LauncherFacts | undefined;
  /** The first that was heard of. */
  #problem: Error | undefined;
  /** How the kernel says that it ended. */
  #end: LauncherLost | undefined;
  #holds = 0;

  /** Starts a zygote: `whenReady()` says what becomes of it. Throws `SandboxUnavailable`. */
  static zygote(options: ZygoteOptions): Launcher {
    const launcher = new Launcher('zygote', options);
    try {
      launcher.#native.configure(
        NativeNamespaces[options.namespaces],
        ceilingsInNativeOrder(options.ceilings),
      );
    } catch (error) {
      void launcher.kill();
      throw notStarted(error);
    }
    return launcher;
  }

  /** Starts a zygote, and waits until it is ready. Rejects as `zygote` and `whenReady` do. */
  static async start(options: ZygoteOptions): Promise<Launcher> {
    const launcher = Launcher.zygote(options);
    await launcher.whenReady();
    return launcher;
  }

  /** Starts a launcher for one command. It waits for `runCommand()`. Throws `SpawnFailed`. */
  static forCommand(options: LauncherOptions): Launcher {
    return new Launcher('command', options);
  }

  private constructor(mode: 'zygote' | 'command', options: LauncherOptions) {
    const addon = loadAddon();
    this.#options = options;
    this.#steps = addon.steps;
    this.#sandboxes = new SandboxTable(addon.steps, (kind, payload) => this.#onLauncherEvent(kind, payload));
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // One that is ended before anybody asks whether it is ready is no reason to end the process.
    this.#ready.catch(() => {});
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    try {
      this.#native = new addon.Launcher(
        options.executable ?? executablePath('wardenpool-launcher'),
        mode,
        options.diagnosticsLimit,
        (events) => this.#onEvents(events),
      );
    } catch (error) {
      throw mode === 'zygote' ? notStarted(error) : commandNotStarted(error);
    }
    // Not unref'd: somebody waits for this launcher, and its own handle does not keep the process alive.
    this.#timer = setTimeout(() => this.#onStartExpired(), START_WAIT_MS);
    this.#lastPid = this.#native.launcherPid();
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
    this.#sandboxes.add(number, events);
    return number;
  }

  /** Resolves once it is confined. Rejects with `SandboxUnavailable`, `SpawnFailed` or `LauncherLost`, when it has ended. */
  whenReady(): Promise<LauncherFacts> {
    return this.#ready;
  }

  /** What is in force in every sandbox of this launcher. */
  get facts(): LauncherFacts {
    if (this.#facts === undefined) throw new Error('the launcher is not ready yet');
    return this.#facts;
  }

  /** Whether it can be asked for sandboxes. */
  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** When the launcher last answered a request, or reported the end of a sandbox; as `performance.now()` has it. */
  get heardAt(): number {
    return this.#sandboxes.heardAt;
  }

  /** PID of the launcher, 0 once it is over. */
  get pid(): number {
    return this.#native.launcherPid();
  }

  /** Asks for a sandbox. Throws `SpawnFailed` if this process has no descriptors left, `LauncherLost` if it is not ready, or has ended. */
  spawn(events: SandboxEvents): number {
    if (this.#state !== 'ready') throw new LauncherLost(GONE);
    try {
      const number = this.#native.spawn();
      this.#sandboxes.add(number, events);
      return number;
    } catch (error) {
      const { message, errno = 0 } = error as NodeJS.ErrnoException;
      // It ended, and the event that says so is still on its way.
      if (errno === constants.errno.EPIPE || errno === constants.errno.ECONNRESET)
        throw new LauncherLost(GONE, { cause: error });
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

  /** Why it has ended, or is about to, if that is known. */
  get problem(): Error | undefined {
    return this.#problem ?? this.#end;
  }

  /**
   * Kills the launcher and with it every sandbox, because of `problem` if there is one. Resolves when the kernel has confirmed it, or
   * after `END_WAIT_MS`. Idempotent, at any time.
   */
  kill(problem?: LauncherLost): Promise<void> {
    this.#problem ??= problem;
    this.#step('kill');
    return this.#ended;
  }

  /** Ends the launcher, at the latest by SIGKILL; resolves as `kill()` does. Idempotent, at any time. */
  close(): Promise<void> {
    this.#step('close');
    return this.#ended;
  }

  #step(event: LauncherEvent): void {
    const transition = LAUNCHER_TRANSITIONS[this.#state][event];
    if (transition === undefined) return;
    this.#state = transition.to;
    clearTimeout(this.#timer);
    if (transition.isBounded) this.#timer = setTimeout(() => this.#step('expired'), END_WAIT_MS);
    switch (transition.action) {
      case 'announce':
        if (this.#facts !== undefined) this.#resolveReady(this.#facts);
        break;
      case 'hangUp':
        this.#native.close();
        break;
      case 'kill':
        this.#native.kill();
        break;
      case 'settle':
        this.#rejectReady(this.#problem ?? new LauncherLost('the launcher was ended'));
        this.#resolveEnded();
        this.#options.onExit(this);
        break;
    }
  }

  #onStartExpired(): void {
    this.#problem ??= new LauncherLost(`the launcher did not get ready within ${START_WAIT_MS} ms`);
    this.#step('expired');
  }

  #onEvents(events: NativeEvents): void {
    // Its end comes last; who waits for a sandbox hears of that first, and is told how the launcher ended.
    if (events.at(-3) === NativeEvent.launcherExited)
      this.#end = new LauncherLost(`the launcher ${describeWaitStatus(events.at(-1) as number)}`);
    this.#sandboxes.dispatch(events);
  }

  #onLauncherEvent(kind: number, payload: unknown): void {
    if (kind === NativeEvent.ready) {
      this.#facts = payload as LauncherFacts;
      this.#lastPid = this.#native.launcherPid();
      this.#step('ready');
    } else if (kind === NativeEvent.failed) {
      const { step, errno, detail } = payload as { step: number; errno: number; detail: string };
      const text = this.#steps[step] ?? `take step ${step}`;
      this.#problem ??= isOfCommand(step)
        ? new SpawnFailed(`could not ${text}${said(errno, detail)}`, step, errno)
        : new SandboxUnavailable([missingCapability(step, text, errno, detail)]);
      this.#step('failed');
    } else if (kind === NativeEvent.launcherExited) {
      debug('thread %d: launcher %d %s', threadId, this.#lastPid, describeWaitStatus(payload as number));
      this.#problem ??= this.#end;
      this.#step('exited');
    }
  }
}

/** In the order of struct runner_ceilings in native/runner/runner.h. */
function ceilingsInNativeOrder(ceilings: Ceilings): number[] {
  return [
    ceilings.memoryBytes,
    ceilings.stackBytes,
    ceilings.timeoutMs,
    ceilings.cpuMs,
    ceilings.maxToolCalls,
    ceilings.maxConcurrentToolCalls,
    ceilings.maxFrameBytes,
    ceilings.maxResultBytes,
    ceilings.maxLogBytes,
  ];
}

/** The same, in the words of who wants one command. */
function commandNotStarted(error: unknown): SpawnFailed {
  const [{ reason, remedy } = { reason: '', remedy: '' }] = notStarted(error).missing;
  return new SpawnFailed(`${reason}: ${remedy}`, 0, (error as NodeJS.ErrnoException).errno ?? 0);
}

/** This process lacks something, descriptors as a rule, that it needs for a launcher. */
function notStarted(error: unknown): SandboxUnavailable {
  const { message, errno = 0 } = error as NodeJS.ErrnoException;
  return new SandboxUnavailable([missingCapability(0, 'start the launcher', errno, message)]);
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
