/**
 * One command in its sandbox, from the start of its launcher to its receipt. It carries opaque bytes, and must not know what they
 * mean, nor how the plan came to be.
 */
import { constants } from 'node:os';
import type { LauncherFacts, NativeExit } from '../addon.js';
import { Cgroup } from '../cgroup/cgroup.js';
import { LauncherLost, SandboxUnavailable, SpawnFailed, STEP_EXECUTE } from '../errors.js';
import { exitReport } from '../exit-report.js';
import { fileDigest } from '../file-digest.js';
import { Launcher } from '../launcher.js';
import { PACKAGE_VERSION } from '../package-version.js';
import type { BackendName, CgroupUsage, Receipt } from '../receipt.js';
import { publishReceipt } from '../receipt-channel.js';
import type { SandboxEvents } from '../sandbox-events.js';
import { StopLadder } from '../stop-ladder.js';
import { systemErrorOf } from '../system-error.js';
import type { Command, CommandBackend, PreparedCommand } from './backend.js';
import { describeExecuteFailure } from './executable.js';
import { limitsReached } from './limits-reached.js';
import { type CheckedOptions, checkStopOptions, type StopOptions } from './options.js';
import { resourceLimits } from './plan.js';
import { encodePlan } from './plan-encoding.js';
import { DiagnosticsStream, ProtocolStream } from './protocol.js';
import {
  commandReceipt,
  type EndReport,
  type KnownOfCommand,
  LOST,
  limitsInForce,
  NOTHING_IN_FORCE,
  planDigest,
  spawnFailure,
} from './receipt.js';

/** How a command ended. Of `returncode` and `signal` one is null. */
export interface IsolatedResult {
  returncode: number | null;
  signal: string | null;
  receipt: Receipt;
  /** What became of each connection: none, as no backend mediates networks yet. */
  networkReceipts: NetworkReceipt[];
}

/** Of a mediated connection; no backend makes any yet. */
export type NetworkReceipt = Readonly<Record<string, unknown>>;

/** `cgroups` of one process must not share a name. */
let executions = 0;

export class Execution implements SandboxEvents {
  readonly protocol = new ProtocolStream();
  readonly stderr = new DiagnosticsStream();
  readonly #options: CheckedOptions;
  readonly #policyDigest: string;
  readonly #ladder: StopLadder;
  readonly #stoppedFor = new Set<'wallMs' | 'cpuMs'>();
  readonly #requestedAt = performance.now();
  readonly #result: Promise<IsolatedResult>;
  #resolve: (result: IsolatedResult) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #launcher: Launcher | undefined;
  #number = 0;
  #spawnedAt: number | undefined;
  #signalAtSpawn: number | undefined;
  readonly #end: Promise<EndReport>;
  #resolveEnd: (report: EndReport) => void = () => {};
  #onSpawned: () => void = () => {};
  #failure: ((error: Error) => void) | undefined;
  #isOver = false;

  constructor(options: CheckedOptions, policyDigest: string) {
    this.#options = options;
    this.#policyDigest = policyDigest;
    this.#result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#end = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
    // Whoever never waits is not told; it is no reason to end the process.
    this.#result.catch(() => {});
    this.#ladder = new StopLadder(
      {
        terminate: () => this.#signal(constants.signals.SIGTERM),
        kill: () => this.#signal(constants.signals.SIGKILL),
        killLauncher: () => void this.#launcher?.kill(),
        containmentFailed: () => this.#resolveEnd({ ...LOST, contained: false }),
      },
      options.stop,
    );
  }

  /** Of the sandboxed process, as this process's PID namespace numbers it; undefined before it is there and after it is over. */
  get pid(): number | undefined {
    if (this.#isOver || this.#launcher === undefined || this.#spawnedAt === undefined) return undefined;
    return this.#launcher.pidOf(this.#number) || undefined;
  }

  /**
   * Idempotent. Rejects with `SpawnFailed` if the command could not be started, with `SandboxUnavailable` if this machine cannot
   * confine it, with `LauncherLost` if its launcher never came up.
   */
  wait(): Promise<IsolatedResult> {
    return this.#result;
  }

  /**
   * SIGTERM, then SIGKILL to everything of it; `force`: SIGKILL at once. Resolves when it is over and cleaned up. Rejects for wrong options
   * alone, with `InvalidOptionError`: then nothing was sent.
   */
  async stop(options?: StopOptions): Promise<void> {
    const { force = false } = checkStopOptions(options);
    void (force ? this.#ladder.kill('closed') : this.#ladder.stop('closed'));
    await this.#result.catch(() => {});
  }

  /** It is not to be started after all. */
  refuse(cause: unknown, { program, network, backend }: Refused): void {
    const error = toldByWait(cause);
    if (canHaveReceipt(error)) {
      const { backend: wanted } = this.#options;
      const name = backend ?? (wanted === 'auto' ? 'namespaces' : wanted);
      const receipt = this.#receipt({
        executable: { path: program, digest: '' },
        backend: { name, version: PACKAGE_VERSION },
        isolation: NOTHING_IN_FORCE,
        network,
        limits: this.#options.limits,
        planDigest: '',
        report: { ...spawnFailure(error), reason: `nothing was run: ${error.message}` },
      });
      error.receipt = receipt;
      publishReceipt(receipt);
    }
    this.#fail(error);
  }

  #fail(error: Error): void {
    this.#over();
    this.#reject(error);
  }

  /** Whether somebody wanted its end before it began. */
  get wasStopped(): boolean {
    return this.#ladder.reason !== null;
  }

  /** Once. What happens from here on is what `wait()` says. */
  start(
    command: Command,
    backend: CommandBackend,
    refused: NonNullable<Receipt['backend']['refused']>,
  ): void {
    this.#run(command, backend, refused).then(
      (result) => {
        this.#over();
        publishReceipt(result.receipt);
        this.#resolve(result);
      },
      (error: Error) => {
        if (hasReceipt(error)) {
          publishReceipt(error.receipt);
          this.#fail(error);
        } else this.refuse(error, { program: command.path, network: command.network, backend: backend.name });
      },
    );
  }

  async #run(
    command: Command,
    backend: CommandBackend,
    refused: NonNullable<Receipt['backend']['refused']>,
  ): Promise<IsolatedResult> {
    const digest = fileDigest(command.path).catch(() => '');
    let cgroup: Cgroup | undefined;
    let prepared: PreparedCommand | undefined;
    let facts: LauncherFacts | undefined;
    let failure: Error | undefined;
    let report: EndReport = LOST;
    let used: CgroupUsage | undefined;
    const timers: (() => void)[] = [];
    try {
      cgroup = this.#makeCgroup(backend.ownProcesses);
      const limits = resourceLimits(this.#options.limits, cgroup?.enforces ?? {});
      prepared = backend.prepare({ ...command, limits });
      facts = await this.#launch(prepared, cgroup);
      timers.push(...this.#watchLimits(cgroup));
      report = await this.#end;
    } catch (error) {
      failure = toldByWait(error);
      report = spawnFailure(failure);
    } finally {
      for (const stop of timers) stop();
      this.#ladder.ended();
      used = cgroup?.usage();
      await this.#launcher?.close();
      await removeCgroup(cgroup);
      await prepared?.dispose();
    }
    const isolation =
      prepared === undefined || facts === undefined
        ? NOTHING_IN_FORCE
        : { ...prepared.isolation(facts), cgroup: cgroup?.version ?? ('none' as const) };
    const receipt = this.#receipt({
      executable: { path: command.path, digest: await digest },
      backend: {
        name: backend.name,
        version: prepared?.version ?? PACKAGE_VERSION,
        ...(refused.length > 0 && { refused }),
      },
      isolation,
      network: command.network,
      limits: limitsInForce(this.#options.limits, backend),
      limitsReached: limitsReached(this.#options.limits, {
        stoppedFor: this.#stoppedFor,
        wasForced: this.#ladder.forcedStopAttempted,
        report,
        used,
      }),
      planDigest: planDigest(command, backend.name, this.#policyDigest),
      report,
      cgroup,
      used,
    });
    if (failure !== undefined) {
      const explained = failure instanceof SpawnFailed ? explainSpawnFailure(failure, command.path) : failure;
      if (canHaveReceipt(explained)) explained.receipt = receipt;
      throw explained;
    }
    const { outcome } = report;
    return {
      returncode: outcome.kind === 'exited' ? (outcome.code ?? null) : null,
      signal: outcome.signal ?? (outcome.kind === 'lost' ? 'SIGKILL' : null),
      receipt,
      networkReceipts: [],
    };
  }

  /** Only where something is to be limited or counted by it: a host that is killed leaves it behind. */
  #makeCgroup(ownProcesses: number): Cgroup | undefined {
    const { memoryBytes, processes, cpuMs } = this.#options.limits;
    if (memoryBytes === undefined && processes === undefined && cpuMs === undefined) return undefined;
    return Cgroup.create(`command-${++executions}`, {
      memoryBytes,
      processes: processes === undefined ? undefined : processes + ownProcesses,
    });
  }

  /** Resolves when the command was executed. */
  async #launch(prepared: PreparedCommand, cgroup: Cgroup | undefined): Promise<LauncherFacts> {
    const { io, preserveFds, maxStderrBytes } = this.#options;
    const spawned = new Promise<void>((resolve, reject) => {
      this.#failure = reject;
      this.#onSpawned = resolve;
    });
    spawned.catch(() => {});
    const launcher = Launcher.forCommand({
      diagnosticsLimit: Math.min(maxStderrBytes, Number.MAX_SAFE_INTEGER),
      onExit: () => this.#failure?.(new LauncherLost(BEFORE_IT_SAID_SO)),
    });
    this.#launcher = launcher;
    launcher.hold();
    cgroup?.join(launcher.pid);
    this.#number = launcher.runCommand(
      this,
      encodePlan(prepared.plan),
      io === 'inherit' ? [0, 1, 2] : [],
      preserveFds,
    );
    this.protocol.connect(this.#source(launcher));
    if (maxStderrBytes === Infinity)
      this.stderr.throttle((paused) => launcher.setDiagnosticsPaused(this.#number, paused));
    const facts = await launcher.whenReady();
    await spawned;
    return facts;
  }

  #source(launcher: Launcher) {
    const number = this.#number;
    return {
      write: (chunk: Buffer) => launcher.write(number, chunk),
      get pendingBytes() {
        return launcher.pendingOf(number);
      },
      endInput: () => launcher.endInput(number),
      setPaused: (paused: boolean) => launcher.setPaused(number, paused),
      closeOutput: () => launcher.closeOutput(number),
    };
  }

  /** Returns what ends the watching. */
  #watchLimits(cgroup: Cgroup | undefined): (() => void)[] {
    const { wallMs, cpuMs } = this.#options.limits;
    const watches: (() => void)[] = [];
    if (wallMs !== undefined) {
      const timer = setTimeout(() => {
        this.#stoppedFor.add('wallMs');
        void this.#ladder.stop('deadline');
      }, wallMs);
      watches.push(() => clearTimeout(timer));
    }
    if (cpuMs !== undefined && cgroup?.enforces.cpuMs !== undefined)
      watches.push(
        cgroup.watchCpu(cpuMs, () => {
          this.#stoppedFor.add('cpuMs');
          void this.#ladder.kill('deadline');
        }),
      );
    return watches;
  }

  #signal(signal: number): void {
    // Before the command is there, it has no pidfd to be signalled by.
    const sent = this.#launcher?.sendSignal(this.#number, signal) ?? false;
    if (!sent && this.#spawnedAt === undefined) this.#signalAtSpawn = signal;
  }

  spawned(): void {
    this.#spawnedAt = performance.now();
    if (this.#signalAtSpawn !== undefined) this.#launcher?.sendSignal(this.#number, this.#signalAtSpawn);
    this.#onSpawned();
  }

  spawnFailed(error: SpawnFailed): void {
    this.#failure?.(error);
  }

  data(chunk: Buffer): void {
    this.protocol.received(chunk);
  }

  end(): void {
    this.protocol.outputEnded();
  }

  drained(): void {
    this.protocol.drained();
  }

  diagnostics(chunk: Buffer): void {
    this.stderr.received(chunk);
  }

  exited(exit: NativeExit): void {
    this.#failure?.(new LauncherLost(BEFORE_IT_SAID_SO));
    this.#resolveEnd({ ...exitReport(exit, { canSignal: true }), contained: true });
  }

  #over(): void {
    this.#isOver = true;
    this.#ladder.ended();
    this.#launcher?.release();
    this.protocol.disconnect();
    this.stderr.outputEnded();
  }

  #receipt(known: KnownOfCommand): Receipt {
    const spawnedAt = this.#spawnedAt;
    const endedAt = performance.now();
    const { reason, gracefulStopAttempted, forcedStopAttempted, stopMs } = this.#ladder;
    return commandReceipt(this.#options, this.#policyDigest, known, {
      requestedAt: this.#requestedAt,
      spawnMs: (spawnedAt ?? endedAt) - this.#requestedAt,
      runMs: spawnedAt === undefined ? 0 : endedAt - spawnedAt,
      stopMs,
      stop: { reason, gracefulStopAttempted, forcedStopAttempted },
    });
  }
}

/** It may have been started all the same. */
const BEFORE_IT_SAID_SO = 'the launcher ended before it said that the command was started';

/** Why a command is not started, and what is known of it. */
interface Refused {
  program: string;
  network: Receipt['network']['mode'];
  /** The one that was chosen, if one was. */
  backend?: BackendName;
}

/** What `wait()` rejects with: that a descriptor, a directory or a cgroup could not be had is a failed start like any other. */
function toldByWait(cause: unknown): Error {
  if (cause instanceof Error && canHaveReceipt(cause)) return cause;
  const { message, errno } = systemErrorOf(cause);
  return new SpawnFailed(`the command could not be started: ${message}`, 0, errno, { cause });
}

type WithReceipt = SpawnFailed | SandboxUnavailable | LauncherLost;

function canHaveReceipt(error: Error): error is WithReceipt {
  return [SpawnFailed, SandboxUnavailable, LauncherLost].some((kind) => error instanceof kind);
}

function hasReceipt(error: Error): error is WithReceipt & { receipt: Receipt } {
  return canHaveReceipt(error) && error.receipt !== undefined;
}

async function removeCgroup(cgroup: Cgroup | undefined): Promise<void> {
  await cgroup?.remove().catch((error: Error) => process.emitWarning(error));
}

/** The launcher's word for a command that it could not start, in words that name the command. */
function explainSpawnFailure(error: SpawnFailed, path: string): SpawnFailed {
  if (error.step !== STEP_EXECUTE) return error;
  return new SpawnFailed(describeExecuteFailure(path, error.errno), error.step, error.errno, {
    cause: error,
  });
}
