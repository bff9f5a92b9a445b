/**
 * What must hold from frame to frame in every conversation, whatever a case is about: order, ids, quotas, and what was
 * granted. A case that breaks none of these by itself fails if its runner does.
 */
import { BASE_LIMITS, type RunnerFrame } from './frames.js';

/** The part of an `execute` frame that its answers are judged by. */
export interface Agreement {
  executionId: string;
  toolNames: readonly string[];
  limits: Readonly<Record<string, unknown>>;
  features: readonly string[];
}

const DEFAULT_CONCURRENT_CALLS = 16;

export class Contract {
  readonly #agreement: Agreement;
  readonly #open = new Set<number>();
  #granted: readonly string[] = [];
  #effective: Record<string, number> = {};
  #calls = 0;
  #lastLog = -1;
  #isReady = false;
  #isOver = false;

  constructor(agreement: Agreement) {
    this.#agreement = agreement;
  }

  /** The host has sent the result of a call. */
  answered(id: number): void {
    this.#open.delete(id);
  }

  /** Throws an error that says what is wrong about `frame` after all the frames before it. */
  accept(frame: RunnerFrame): void {
    if (this.#isOver) throw new Error('it follows the terminal frame');
    if (frame.type === 'ready') {
      this.#ready(frame);
      return;
    }
    const failsEarly = frame.type === 'execution.result' && frame.ok === false;
    if (!this.#isReady && !failsEarly) throw new Error('it comes before ready');
    if (frame.type === 'tool.call') this.#call(frame);
    if (frame.type === 'log') this.#log(frame);
    if (frame.type === 'execution.result') this.#terminal(frame);
  }

  #requireId(frame: RunnerFrame): void {
    if (frame.executionId !== this.#agreement.executionId)
      throw new Error('executionId is of another execution');
  }

  #ready(frame: RunnerFrame): void {
    if (this.#isReady) throw new Error('it is a second ready');
    this.#requireId(frame);
    this.#isReady = true;
    const { limits, features } = this.#agreement;
    this.#granted = frame.features ?? [];
    for (const feature of this.#granted) {
      if (!features.includes(feature)) throw new Error(`features grants ${feature}, which was not asked for`);
    }
    this.#effective = frame.effectiveLimits ?? {};
    const extended = this.#granted.includes('limits');
    for (const [key, requested] of Object.entries(limits)) {
      const effective = this.#effective[key];
      const isBase = (BASE_LIMITS as readonly string[]).includes(key);
      if (effective === undefined && (isBase || extended))
        throw new Error(`effectiveLimits does not answer ${key}`);
      if (effective !== undefined && effective > Number(requested)) {
        throw new Error(`effectiveLimits.${key} is ${effective}; only ${requested} was requested`);
      }
    }
  }

  #call({ id = 0, name = '' }: RunnerFrame): void {
    if (id !== this.#calls + 1) throw new Error(`id is ${id}; the last was ${this.#calls}`);
    if (id > (this.#effective['maxToolCalls'] ?? 0)) throw new Error('it is a call over the quota');
    if (!this.#agreement.toolNames.includes(name)) throw new Error('it names a tool that was not declared');
    const requested = Number(this.#agreement.limits['maxConcurrentToolCalls'] ?? DEFAULT_CONCURRENT_CALLS);
    const most = this.#granted.includes('parallel-tools') ? requested : 1;
    if (this.#open.size >= most) throw new Error(`more than ${most} calls are outstanding at once`);
    this.#calls = id;
    this.#open.add(id);
  }

  #log({ seq = 0 }: RunnerFrame): void {
    if (!this.#granted.includes('console')) throw new Error('the feature console was not granted');
    if (seq <= this.#lastLog) throw new Error(`seq is ${seq}; the last was ${this.#lastLog}`);
    this.#lastLog = seq;
  }

  #terminal(frame: RunnerFrame): void {
    this.#isOver = true;
    this.#requireId(frame);
    const counted = frame.metrics?.toolCalls ?? 0;
    // A call over the quota may be counted, though it was never sent.
    if (counted !== this.#calls && !(frame.error?.kind === 'limit' && counted === this.#calls + 1)) {
      throw new Error(`metrics.toolCalls is ${counted}, after ${this.#calls} calls`);
    }
    if (frame.ok && frame.result === undefined && !this.#granted.includes('undefined')) {
      throw new Error('it has no result, without the feature undefined');
    }
    if (frame.error?.kind === 'limit') {
      const limit = this.#effective['maxToolCalls'] ?? 0;
      if (frame.error.limit !== limit || frame.error.attempted !== limit + 1) {
        throw new Error('error.limit and error.attempted do not describe the quota');
      }
    }
  }
}
