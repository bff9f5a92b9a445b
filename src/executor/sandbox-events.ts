/**
 * What a launcher's sandboxes are told: turns the addon's batches of events into calls on the sandboxes concerned. Must not know the
 * life of the launcher, why a sandbox is wanted, nor what it says.
 */
import { NativeEvent, type NativeEvents, type NativeExit } from './addon.js';
import { SpawnFailed } from './errors.js';
import { errorName } from './system-error.js';

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

export class SandboxTable {
  readonly #sandboxes = new Map<number, SandboxEvents>();
  readonly #steps: Record<number, string>;
  readonly #onLauncherEvent: (kind: number, payload: unknown) => void;
  #heardAt = 0;

  /** `steps`: text of each step of confinement. `onLauncherEvent`: of what is not a sandbox's. */
  constructor(steps: Record<number, string>, onLauncherEvent: (kind: number, payload: unknown) => void) {
    this.#steps = steps;
    this.#onLauncherEvent = onLauncherEvent;
  }

  /** When the launcher last answered a request, or reported the end of a sandbox; as `performance.now()` has it. */
  get heardAt(): number {
    return this.#heardAt;
  }

  add(number: number, events: SandboxEvents): void {
    this.#sandboxes.set(number, events);
  }

  dispatch(events: NativeEvents): void {
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
}
