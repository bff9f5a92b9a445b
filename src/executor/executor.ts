/**
 * One thread's source of sandboxes: a launcher, replaced when it is lost, and a set of warm ones. It knows nothing of what
 * runs in them.
 */
import { debuglog } from 'node:util';
import { threadId } from 'node:worker_threads';
import { Supply } from '../supply/supply.js';
import { loadAddon } from './addon.js';
import {
  type CodeModeBackend,
  codeModeBackends,
  type Isolation,
  neverHas,
  type RefusedBackend,
} from './code-mode.js';
import { Demotion } from './demotion.js';
import { LauncherLost, type MissingCapability, SandboxUnavailable, SpawnFailed } from './errors.js';
import { Generation } from './generation.js';
import type { Ceilings } from './launcher.js';
import { missingAddon } from './missing-addon.js';
import { receiptBase } from './plan.js';
import type { BackendName, Receipt, SandboxOutcome } from './receipt.js';
import { CANNOT_SIGNAL, missingCapability } from './remedies.js';
import { Sandbox, type SandboxEnd } from './sandbox.js';
import { DIAGNOSTICS_LIMIT, type ReceiptContext, spawnFailedReceipt } from './sandbox-receipt.js';
import { DEFAULT_STOP_TIMES } from './stop-ladder.js';
import { type WarmLimits, WarmSet } from './warm-set.js';

const debug = debuglog('wardenpool');

export interface ExecutorOptions {
  isolation: Isolation;
  /** `auto`: the first that can be had on this machine. */
  backend: BackendName | 'auto';
  /** Those that `auto` was refused before, for receipts. Default: none. */
  refused?: readonly RefusedBackend[];
  warm: WarmLimits;
  ceilings: Ceilings;
  /**
   * Sandboxes of one launcher, after which another takes its place. Default: 100,000. It costs a start of a launcher each time, and no
   * run waits for it; whatever a launcher may gather in its life ends with it.
   */
  renewAfter?: number;
  /** A launcher was lost, or is there again: `stats` and `problem` have changed. Default: nobody wants to know. */
  onChange?(): void;
}

/** Sandboxes of one launcher. */
const RENEW_AFTER = 100_000;

export interface ExecutorStats {
  /** Sandboxes that are ready. */
  warm: number;
  /** Sandboxes that were handed out and are not over. */
  running: number;
  /** Launchers that ended without being asked to. */
  launcherRestarts: number;
}

export class Executor {
  readonly #options: ExecutorOptions;
  /** What it runs on. It stays the same when a launcher is replaced. */
  readonly backend: CodeModeBackend;
  /** Those that come before it and that were refused. */
  readonly refused: readonly RefusedBackend[];
  readonly #warm: WarmSet<Sandbox>;
  readonly #running = new Set<Sandbox>();
  /** Launchers that were replaced, and still have sandboxes. */
  readonly #retiring = new Set<Generation>();
  readonly #supply: Supply<Generation>;
  readonly #demotion = new Demotion(this.#running, (cpuMs) => {
    this.#supply.current?.launcher.demoteBusy(cpuMs);
    for (const { launcher } of this.#retiring) launcher.demoteBusy(cpuMs);
  });

  /**
   * Starts a launcher, spawns one sandbox to see that it can, and begins to warm others. With `auto` it does so on one backend
   * after the other, until this machine refuses none of what is needed. Rejects with `SandboxUnavailable` (`missing` says what
   * each backend lacks) or `LauncherLost`.
   */
  static async open(options: ExecutorOptions): Promise<Executor> {
    const refused = [...(options.refused ?? [])];
    for (const backend of supportedBackends(options.backend)) {
      const missing = neverHas(backend, options.isolation);
      if (missing.length === 0) {
        try {
          return await Executor.#openOn(backend, options, refused);
        } catch (error) {
          if (!(error instanceof SandboxUnavailable)) throw error;
          missing.push(...error.missing.map((each) => ({ ...each, backend: backend.name })));
          // What was not refused but failed may work the next time: to go on to a backend that isolates less would hide it.
          if (!error.isRefusal) throw new SandboxUnavailable(missing);
        }
      }
      refused.push({ backend: backend.name, missing });
      for (const { capability, reason } of missing)
        debug('thread %d: the backend %s is refused: %s: %s', threadId, backend.name, capability, reason);
    }
    throw new SandboxUnavailable(refused.flatMap(({ missing }) => missing));
  }

  static async #openOn(
    backend: CodeModeBackend,
    options: ExecutorOptions,
    refused: readonly RefusedBackend[],
  ): Promise<Executor> {
    const executor = new Executor(backend, options, refused);
    try {
      await executor.#supply.get();
      await executor.#tryOne();
    } catch (error) {
      await executor.close();
      throw error;
    }
    executor.#warm.refill();
    return executor;
  }

  private constructor(
    backend: CodeModeBackend,
    options: ExecutorOptions,
    refused: readonly RefusedBackend[],
  ) {
    this.backend = backend;
    this.refused = refused;
    this.#options = options;
    this.#supply = new Supply<Generation>({
      start: (onEnd) => this.#startLauncher(onEnd),
      explain: launcherUnavailable,
      closed,
      onServing: ({ launcher }) => {
        debug('thread %d: launcher %d is ready, on the backend %s', threadId, launcher.pid, backend.name);
        this.#warm.refill();
        options.onChange?.();
      },
      onLost: () => {
        debug('thread %d: the launcher is being replaced', threadId);
        this.#warm.clear();
        options.onChange?.();
      },
      onReplaced: (generation) => {
        debug('thread %d: launcher %d is replaced', threadId, generation.launcher.pid);
        this.#retiring.add(generation);
        this.#warm.renew();
        this.#mayEnd(generation);
      },
      onFailed: () => options.onChange?.(),
    });
    this.#warm = new WarmSet<Sandbox>(
      options.warm,
      () => {
        // The set is a convenience: what it cannot have now, a run that needs it will ask for, and be told why not.
        try {
          const { current } = this.#supply;
          return current === undefined ? undefined : this.#spawn(current);
        } catch {
          return undefined;
        }
      },
      (sandbox) => void sandbox.kill('closed'),
    );
  }

  get stats(): ExecutorStats {
    return { warm: this.#warm.size, running: this.#running.size, launcherRestarts: this.#supply.losses };
  }

  /** Why no sandbox can be had at the moment; undefined while there is a launcher. */
  get problem(): string | undefined {
    if (this.#supply.current !== undefined) return undefined;
    return this.#supply.failure?.message ?? 'a launcher is being started';
  }

  /** PID of the launcher, 0 if there is none at the moment. */
  get launcherPid(): number {
    return this.#supply.current?.launcher.pid ?? 0;
  }

  /** What is in force in its sandboxes; undefined while there is no launcher. */
  get isolation(): Receipt['isolation'] | undefined {
    return this.#supply.current?.receiptBase.isolation;
  }

  /**
   * A warm sandbox, or the next one, in bounded time. Rejects with `SpawnFailed`, with `LauncherLost`, or with `SandboxUnavailable`
   * while no launcher can be started.
   */
  async acquire(): Promise<Sandbox> {
    const sandbox = this.#warm.take() ?? this.#spawn(this.#supply.current ?? (await this.#supply.get()));
    this.#running.add(sandbox);
    this.#demotion.watch();
    if (sandbox.isReady) sandbox.source = 'warm';
    else await sandbox.whenSpawned();
    return sandbox;
  }

  /** The receipt of an execution for which `acquire()` rejected with `error`; undefined while there is no launcher. */
  receiptOf(error: SpawnFailed, context: ReceiptContext): Receipt | undefined {
    const base = this.#supply.current?.receiptBase;
    return base === undefined ? undefined : spawnFailedReceipt(base, context, error);
  }

  /** Kills what is left, ends the launcher, and waits for both, within a bound. Idempotent. */
  async close(): Promise<void> {
    this.#warm.close();
    await Promise.all([this.#supply.close(), ...Array.from(this.#retiring, (each) => each.close())]);
  }

  #startLauncher(onExit: () => void): Generation {
    const { isolation, ceilings } = this.#options;
    return new Generation(
      {
        namespaces: this.backend.namespaces(isolation),
        ceilings,
        diagnosticsLimit: DIAGNOSTICS_LIMIT,
        onExit,
      },
      (facts) => receiptBase(this.backend, this.refused, isolation, ceilings, facts),
    );
  }

  #spawn(generation: Generation): Sandbox {
    const { launcher } = generation;
    const spawned = new Sandbox(launcher, generation.receiptBase, DEFAULT_STOP_TIMES, (sandbox) => {
      generation.alive--;
      this.#running.delete(sandbox);
      this.#warm.remove(sandbox);
      this.#mayEnd(generation);
    });
    generation.alive++;
    // Once more each time as many again were asked for, in case that it could not be started.
    if (++generation.spawned % (this.#options.renewAfter ?? RENEW_AFTER) === 0) this.#supply.renew();
    return spawned;
  }

  /** One that was replaced ends when its last sandbox has. */
  #mayEnd(generation: Generation): void {
    if (generation.alive > 0 || !this.#retiring.has(generation)) return;
    void generation.close().then(() => this.#retiring.delete(generation));
  }

  /**
   * A machine may allow the launcher and refuse the sandboxes: a nested PID namespace, for one. So one sandbox goes through
   * all of its steps; it ends when it finds that nobody has a program for it.
   */
  async #tryOne(): Promise<void> {
    const sandbox = await this.acquire().catch((error) => {
      throw error instanceof SpawnFailed ? new SandboxUnavailable([failedStep(error)]) : error;
    });
    const canSignal = sandbox.canSignal;
    const { outcome } = await new Promise<SandboxEnd>((resolve) => {
      sandbox.start({ onData() {}, onEnd() {}, onExit: resolve }, PROBE_CONTEXT);
      void sandbox.stop('closed', () => sandbox.endInput());
    });
    if (outcome.kind === 'spawn-failed') throw new SandboxUnavailable([failedStep(outcome)]);
    if (outcome.kind !== 'exited')
      throw new LauncherLost(`the first sandbox, a trial, did not end by itself: ${JSON.stringify(outcome)}`);
    if (!canSignal) throw new SandboxUnavailable([CANNOT_SIGNAL]);
  }
}

function closed(): LauncherLost {
  return new LauncherLost('the executor is closed');
}

/** Why there is no launcher, by what its start failed with. */
function launcherUnavailable(error: unknown): SandboxUnavailable {
  if (error instanceof SandboxUnavailable) return error;
  return new SandboxUnavailable([
    {
      capability: 'lifecycle',
      reason: `a launcher could not be started: ${(error as Error).message}`,
      remedy: 'it is tried again by itself; run `wardenpool doctor` to see what this machine lacks',
    },
  ]);
}

const PROBE_CONTEXT: ReceiptContext = {
  executionId: '',
  labels: {},
  codeDigest: '',
  programDigest: '',
  limits: {},
  limitedBy: {},
};

function failedStep({ step = 0, errno = 0 }: Pick<SandboxOutcome, 'step' | 'errno'>): MissingCapability {
  return missingCapability(step, loadAddon().steps[step] ?? `take step ${step}`, errno, '');
}

/** Those that may be tried. Throws `SandboxUnavailable` where there are none. */
function supportedBackends(name: ExecutorOptions['backend']): readonly CodeModeBackend[] {
  const backends = codeModeBackends(name);
  if ('capability' in backends) throw new SandboxUnavailable([backends]);
  const addon = missingAddon();
  if (addon !== undefined) throw new SandboxUnavailable([addon]);
  return backends;
}
