/** The order of admission, against a model that sorts everything anew for each slot. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AdmissionLine, type AdmissionOptions, type PlaceOptions } from '../../src/pool/admission-line.js';
import { parameters } from '../properties/parameters.js';

/** What the line does, in the slowest and plainest way. */
class Model {
  readonly #options: AdmissionOptions;
  /** Milliseconds. */
  now = 0;
  #waiting: PlaceOptions[] = [];
  #running: PlaceOptions[] = [];
  #starting: PlaceOptions[] = [];
  #over: { at: number; key: string | undefined }[] = [];
  /** When each tenant's share last changed, or it came: who waits longest with that share comes first. */
  readonly #since = new Map<string, number>();
  #clock = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  enqueue(place: PlaceOptions): void {
    const lineIsNew = !this.#waiting.some(
      ({ key, priority }) => key === place.key && priority === place.priority,
    );
    if (lineIsNew) this.#since.set(lineOf(place), ++this.#clock);
    this.#waiting.push(place);
  }

  dequeue(): string | undefined {
    if (!this.look()) return undefined;
    const { memoryBudgetBytes } = this.#options;
    const ranked = this.#waiting
      .filter(({ key }) => !this.#isBarred(key))
      .map((place, index) => ({ place, index }))
      .sort(
        (a, b) =>
          b.place.priority - a.place.priority ||
          this.#share(a.place.key) - this.#share(b.place.key) ||
          (this.#since.get(lineOf(a.place)) ?? 0) - (this.#since.get(lineOf(b.place)) ?? 0) ||
          a.index - b.index,
      );
    const next = ranked[0]?.place;
    if (next === undefined) return undefined;
    const used = this.#running.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    if (used + next.memoryBytes > memoryBudgetBytes) return undefined;
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#change(next.key, () => {
      this.#running.push(next);
      this.#starting.push(next);
    });
    return next.id;
  }

  /** For who might be next, where one more may run and start: only then are slots of long ago forgotten, as in the line. */
  look(): boolean {
    const { concurrency, turnsPerTenant } = this.#options;
    if (this.#running.length >= concurrency || this.#starting.length >= 2 * turnsPerTenant) return false;
    this.#forget();
    return true;
  }

  started(): PlaceOptions | undefined {
    const [first] = this.#starting;
    if (first !== undefined) this.#change(first.key, () => this.#starting.shift());
    return first;
  }

  /** The oldest that has started. */
  release(): PlaceOptions | undefined {
    const over = this.#running.find((each) => !this.#starting.includes(each));
    if (over === undefined) return undefined;
    this.#change(over.key, () => {
      this.#running = this.#running.filter((each) => each !== over);
      this.#over.push({ at: this.now, key: over.key });
    });
    return over;
  }

  /** How many would still wait if turns were no matter, and one more came. */
  withoutSlots(...more: PlaceOptions[]): number {
    const other = new Model({ ...this.#options, turnsPerTenant: Number.POSITIVE_INFINITY });
    other.#waiting = [...this.#waiting, ...more];
    other.#running = [...this.#running];
    while (other.dequeue() !== undefined);
    return other.waiting;
  }

  remove(id: string): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((each) => each.id !== id);
    return this.#waiting.length < before;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  #slots(key: string | undefined): number {
    return this.#running.filter((each) => each.key === key).length;
  }

  #isBarred(key: string | undefined): boolean {
    const starting = this.#starting.filter((each) => each.key === key).length;
    return this.#slots(key) >= this.#options.maxConcurrencyPerKey || starting >= this.#options.turnsPerTenant;
  }

  #share(key: string | undefined): number {
    return this.#slots(key) + this.#over.filter((each) => each.key === key).length;
  }

  #forget(): void {
    for (
      let [oldest] = this.#over;
      oldest !== undefined && oldest.at <= this.now - 1_000;
      [oldest] = this.#over
    ) {
      this.#change(oldest.key, () => this.#over.shift());
    }
  }

  /** With another share, or barred or no longer, its lines are behind those that were there before. */
  #change(key: string | undefined, change: () => void): void {
    const [share, isBarred] = [this.#share(key), this.#isBarred(key)];
    change();
    if (share === this.#share(key) && isBarred === this.#isBarred(key)) return;
    const lines = new Set(this.#waiting.filter((each) => each.key === key).map(lineOf));
    for (const line of lines) this.#since.set(line, ++this.#clock);
  }
}

function lineOf({ key, priority }: PlaceOptions): string {
  return JSON.stringify([key, priority]);
}

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('enqueue' as const),
      key: fc.constantFrom(undefined, 'a', 'b', 'c'),
      priority: fc.constantFrom(0, 0, 0, 1, -1),
      memoryBytes: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('dequeue' as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('started' as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('release' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), index: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.nat(700) }) },
);

describe('admission line', () => {
  it('gives slots in the order that its model gives them in, and knows how many wait for one', () => {
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 120, size: 'max' }),
        fc.record({
          concurrency: fc.integer({ min: 1, max: 12 }),
          maxConcurrencyPerKey: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
          memoryBudgetBytes: fc.integer({ min: 4, max: 12 }),
          turnsPerTenant: fc.integer({ min: 1, max: 4 }),
        }),
        fc.boolean(),
        (actions, options, areEqual) => {
          const model = new Model(options);
          const line = new AdmissionLine(options, () => model.now);
          let started = '';
          let count = 0;
          for (const each of actions) {
            if (each.type === 'enqueue') {
              const id = String(count++);
              const place = {
                id,
                priority: each.priority,
                key: each.key,
                memoryBytes: areEqual ? 1 : each.memoryBytes,
              };
              model.enqueue(place);
              line.enqueue(async () => {
                started = id;
              }, place);
            } else if (each.type === 'dequeue') {
              const isEmpty = line.size === 0;
              started = '';
              void line.dequeue()?.();
              const expected = model.dequeue();
              assert.equal(started, expected ?? '');
              assert.equal(isEmpty, expected === undefined, 'p-queue never asks in vain');
            } else if (each.type === 'started') {
              const starting = model.started();
              if (starting !== undefined) line.started(starting);
            } else if (each.type === 'release') {
              const over = model.release();
              if (over !== undefined) line.release(over);
            } else if (each.type === 'wait') {
              model.now += each.ms;
            } else {
              assert.equal(line.remove(String(each.index)), model.remove(String(each.index)));
            }
            assert.equal(line.waiting, model.waiting);
            model.look();
            // p-queue lets all in that may start before anybody asks.
            if (line.size > 0 || !areEqual) continue;
            assert.equal(line.waitingForSlots, model.withoutSlots());
            const more = { id: 'more', priority: -2, key: 'a', memoryBytes: 1 };
            assert.equal(line.waitingForSlotsWith(more), model.withoutSlots(more));
          }
        },
      ),
      parameters(1_000),
    );
  });
});
