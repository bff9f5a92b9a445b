/**
 * The order in which waiting runs get their slots: higher priorities first; among equals the tenant that has, and had of late, the
 * fewest slots, so that one with few runs does not wait behind one with many; of one tenant, first come, first served. A tenant at its
 * bound is passed over. A run whose memory is not there yet is waited for, so that smaller ones do not keep it out for ever. Every
 * operation takes constant time in the number of runs that wait. Must not know what a run is.
 */
import type { QueueAddOptions } from 'p-queue';

/** How long a slot counts for its tenant after it was given back, ms. */
const OF_LATE_MS = 1_000;

export interface AdmissionOptions {
  /** Slots that one tenant may have at once. Infinity: no bound. */
  maxConcurrencyPerKey: number;
  /** Bytes that those who have slots may reach together. */
  memoryBudgetBytes: number;
}

/** What a run needs besides a slot. */
export interface Demand {
  /** The tenant. Runs without one are of one tenant, too. */
  readonly key: string | undefined;
  readonly memoryBytes: number;
}

/** What p-queue passes on of a run. */
export interface PlaceOptions extends QueueAddOptions, Demand {
  readonly id: string;
  readonly priority: number;
}

type Start = () => Promise<unknown>;

interface Tenant {
  readonly key: string | undefined;
  running: number;
  /** Slots that it has, and had of late. */
  share: number;
  /** What of it waits, by priority. */
  readonly waiting: Map<number, TenantLine>;
}

/** Runs of one tenant and one priority that wait: a linked list, since any of them may leave. */
interface TenantLine {
  readonly tenant: Tenant;
  readonly level: Level;
  first: Place | undefined;
  last: Place | undefined;
}

interface Place {
  readonly start: Start;
  readonly options: PlaceOptions;
  readonly line: TenantLine;
  before: Place | undefined;
  after: Place | undefined;
}

/** The lines of one priority that may have a slot, by the shares of their tenants; among equals, who waits longest comes first. */
class Level {
  readonly #byShare: (Set<TenantLine> | undefined)[] = [];
  /** No line is in a set before this one. */
  #lowest = 0;
  /** Lines of this priority, also those of tenants at their bound. */
  lines = 0;

  constructor(readonly priority: number) {}

  add(line: TenantLine): void {
    const { share } = line.tenant;
    let lines = this.#byShare[share];
    if (lines === undefined) {
      lines = new Set();
      this.#byShare[share] = lines;
    }
    lines.add(line);
    this.#lowest = Math.min(this.#lowest, share);
  }

  /** Does nothing if it is not in. */
  remove(line: TenantLine): void {
    this.#byShare[line.tenant.share]?.delete(line);
  }

  /** A line whose tenant has the smallest share. */
  next(): TenantLine | undefined {
    for (; this.#lowest < this.#byShare.length; this.#lowest++) {
      const [line] = this.#byShare[this.#lowest] ?? [];
      if (line !== undefined) return line;
    }
    return undefined;
  }
}

/** A queue class of p-queue. */
export class AdmissionLine {
  readonly #options: AdmissionOptions;
  readonly #now: () => number;
  /** Highest priority first. */
  readonly #levels: Level[] = [];
  /** Those that wait, or have or had slots. */
  readonly #tenants = new Map<string | undefined, Tenant>();
  readonly #places = new Map<string, Place>();
  /** Slots that were given back, oldest first. */
  readonly #ofLate: { readonly at: number; readonly tenant: Tenant }[] = [];
  #memoryBytes = 0;

  /** `now`: milliseconds that never go back. */
  constructor(options: AdmissionOptions, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#places.size;
  }

  /** As p-queue is to see it: 0 while none of those that wait may start. */
  get size(): number {
    const next = this.#next();
    return next === undefined || !this.#hasRoom(next.options) ? 0 : this.#places.size;
  }

  /** Whether a run could have a free slot at once. */
  canPass(demand: Demand): boolean {
    const running = this.#tenants.get(demand.key)?.running ?? 0;
    return (
      running < this.#options.maxConcurrencyPerKey && this.#hasRoom(demand) && this.#next() === undefined
    );
  }

  enqueue(start: Start, given?: Partial<PlaceOptions>): void {
    const options = given as PlaceOptions; // RunQueue gives them all
    const line = this.#lineOf(options);
    const place: Place = { start, options, line, before: line.last, after: undefined };
    if (line.last === undefined) {
      line.first = place;
      if (!this.#isAtBound(line.tenant)) line.level.add(line);
    } else {
      line.last.after = place;
    }
    line.last = place;
    this.#places.set(options.id, place);
  }

  /** Gives the next run its slot, until release(). */
  dequeue(): Start | undefined {
    const place = this.#next();
    if (place === undefined || !this.#hasRoom(place.options)) return undefined;
    this.#remove(place);
    this.#change(place.line.tenant, { running: 1, share: 1 });
    this.#memoryBytes += place.options.memoryBytes;
    return place.start;
  }

  /** A run that had a slot no longer has it. */
  release({ key, memoryBytes }: Demand): void {
    this.#memoryBytes -= memoryBytes;
    const tenant = this.#tenants.get(key);
    if (tenant === undefined) return;
    this.#change(tenant, { running: -1, share: 0 });
    this.#ofLate.push({ at: this.#now(), tenant });
  }

  /** Takes out one that waits. False if it does not. */
  remove(id: string): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    this.#remove(place);
    this.#forget(place.line.tenant);
    return true;
  }

  /** What p-queue asks for by priority is never asked here. */
  filter(): Start[] {
    return Array.from(this.#places.values(), ({ start }) => start);
  }

  setPriority(): never {
    throw new Error('the priority of a run that waits does not change');
  }

  /** Whose turn it is, be there room for it or not. */
  #next(): Place | undefined {
    this.#forgetSlots();
    for (const level of this.#levels) {
      const place = level.next()?.first;
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #hasRoom({ memoryBytes }: Demand): boolean {
    return this.#memoryBytes + memoryBytes <= this.#options.memoryBudgetBytes;
  }

  #lineOf({ key, priority }: PlaceOptions): TenantLine {
    let tenant = this.#tenants.get(key);
    if (tenant === undefined) {
      tenant = { key, running: 0, share: 0, waiting: new Map() };
      this.#tenants.set(key, tenant);
    }
    let line = tenant.waiting.get(priority);
    if (line === undefined) {
      line = { tenant, level: this.#levelOf(priority), first: undefined, last: undefined };
      tenant.waiting.set(priority, line);
      line.level.lines++;
    }
    return line;
  }

  #levelOf(priority: number): Level {
    let index = 0;
    for (const level of this.#levels) {
      if (level.priority === priority) return level;
      if (level.priority < priority) break;
      index++;
    }
    const level = new Level(priority);
    this.#levels.splice(index, 0, level);
    return level;
  }

  #remove(place: Place): void {
    const { line, before, after } = place;
    if (before === undefined) line.first = after;
    else before.after = after;
    if (after === undefined) line.last = before;
    else after.before = before;
    this.#places.delete(place.options.id);
    if (line.first !== undefined) return;
    line.level.remove(line);
    line.tenant.waiting.delete(line.level.priority);
    line.level.lines--;
    if (line.level.lines === 0) this.#levels.splice(this.#levels.indexOf(line.level), 1);
  }

  /** Its lines move to where tenants with such a share are, behind those that were there before; at its bound, they are out. */
  #change(tenant: Tenant, by: Pick<Tenant, 'running' | 'share'>): void {
    for (const line of tenant.waiting.values()) line.level.remove(line);
    tenant.running += by.running;
    tenant.share += by.share;
    if (this.#isAtBound(tenant)) return;
    for (const line of tenant.waiting.values()) line.level.add(line);
  }

  #isAtBound({ running }: Tenant): boolean {
    return running >= this.#options.maxConcurrencyPerKey;
  }

  /** Those that were given back long enough ago no longer count. */
  #forgetSlots(): void {
    const since = this.#now() - OF_LATE_MS;
    const kept = this.#ofLate.findIndex(({ at }) => at > since);
    for (const { tenant } of this.#ofLate.splice(0, kept < 0 ? this.#ofLate.length : kept)) {
      this.#change(tenant, { running: 0, share: -1 });
      this.#forget(tenant);
    }
  }

  #forget(tenant: Tenant): void {
    if (tenant.share === 0 && tenant.waiting.size === 0) this.#tenants.delete(tenant.key);
  }
}
