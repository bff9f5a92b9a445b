/**
 * Which of the runs that wait may have slots, and when. A run gets its slot and its turn to start at once: until it first waits for a
 * tool it has use for a processor, and where far more of them start than there are processors, each slows down all others, and the
 * threads that serve them. So what is scarce is given to the tenant that has, and had of late, the fewest slots; and each tenant has
 * turns of its own, so that many runs of one, which have them all, do not keep out a few of another. A tenant at a bound is passed
 * over. A run whose memory is not there yet is waited for, so that smaller ones do not keep it out for ever. Must not know what a run is.
 */
import type { QueueAddOptions } from 'p-queue';
import { FairLine, type Rank, type Tenant as RankedTenant } from './fair-line.js';

/** How long a slot counts for its tenant after it was given back, ms. */
const OF_LATE_MS = 1_000;

/** Two tenants start as many as each of them would alone; more of them share that. */
const TENANTS_WITH_ALL_TURNS = 2;

export interface AdmissionOptions {
  /** Slots. */
  concurrency: number;
  /** Slots that one tenant may have at once. Infinity: no bound. */
  maxConcurrencyPerKey: number;
  /** Bytes that those who have slots may reach together. */
  memoryBudgetBytes: number;
  /** Runs of one tenant that start at the same time. */
  turnsPerTenant: number;
}

/** What a run needs besides a slot. */
export interface Demand {
  /** The tenant. */
  readonly key: string | undefined;
  readonly memoryBytes: number;
}

/** What p-queue passes on of a run. */
export interface PlaceOptions extends QueueAddOptions, Rank, Demand {
  readonly id: string;
  readonly priority: number;
}

type Start = () => Promise<unknown>;

interface Place extends PlaceOptions {
  readonly start: Start;
}

interface Tenant extends RankedTenant<Place> {
  /** Slots that it has. */
  running: number;
  /** Those of them that have not started yet. */
  starting: number;
}

/** A queue class of p-queue. */
export class AdmissionLine {
  readonly #options: AdmissionOptions;
  readonly #now: () => number;
  readonly #line = new FairLine<Place>();
  /** Those that wait, or have or had slots. */
  readonly #tenants = new Map<string | undefined, Tenant>();
  /** Slots that were given back, oldest first. */
  readonly #ofLate: { readonly at: number; readonly tenant: Tenant }[] = [];
  #running = 0;
  #starting = 0;
  /** Of those that have slots. */
  #memoryBytes = 0;
  /** Of those that wait. */
  #wantedBytes = 0;
  /** How many wait for their own tenant's slots. */
  #overBounds = 0;

  /** `now`: milliseconds that never go back. */
  constructor(options: AdmissionOptions, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** How many wait, for whatever. */
  get waiting(): number {
    return this.#line.size;
  }

  /**
   * How many wait for a slot: were it their turn, there would be none for them. While turns are short and memory is, too, this is an
   * estimate: as if all of them wanted as much memory.
   */
  get waitingForSlots(): number {
    if (!this.#areTurnsShort()) return this.waiting;
    return this.#withoutSlots(this.waiting, this.#wantedBytes, this.#overBounds);
  }

  /** How many would wait for a slot if one more came. */
  waitingForSlotsWith({ key, memoryBytes }: Demand): number {
    const tenant = this.#tenants.get(key);
    const isOverBound =
      tenant !== undefined && tenant.waiting + tenant.running >= this.#options.maxConcurrencyPerKey;
    if (this.#areTurnsShort())
      return this.#withoutSlots(
        this.waiting + 1,
        this.#wantedBytes + memoryBytes,
        this.#overBounds + Number(isOverBound),
      );
    const hasSlot = !isOverBound && this.#running < this.#options.concurrency;
    const canStart = hasSlot && this.#next() === undefined && this.#hasRoom(memoryBytes);
    return canStart ? this.waiting : this.waiting + 1;
  }

  /** As p-queue is to see it: 0 while none of those that wait may start. */
  get size(): number {
    return this.#first() === undefined ? 0 : this.waiting;
  }

  enqueue(start: Start, given?: Partial<PlaceOptions>): void {
    const options = given as PlaceOptions; // RunQueue gives them all
    const tenant = this.#tenantOf(options.key);
    this.#wantedBytes += options.memoryBytes;
    this.#counting(tenant, () => this.#line.add(tenant, { ...options, start }));
  }

  /** Gives the next run its slot, until release(), and its turn, until started(). */
  dequeue(): Start | undefined {
    const place = this.#first();
    if (place === undefined) return undefined;
    const tenant = this.#takeOut(place);
    this.#starting++;
    this.#running++;
    this.#memoryBytes += place.memoryBytes;
    this.#change(tenant, { running: 1, starting: 1, share: 1 });
    return place.start;
  }

  /** A run that had its turn needs it no longer. */
  started({ key }: Demand): void {
    const tenant = this.#tenants.get(key);
    if (tenant === undefined) return;
    this.#starting--;
    this.#change(tenant, { running: 0, starting: -1, share: 0 });
  }

  /** A run that had a slot no longer has it. It has started, or does not. */
  release({ key, memoryBytes }: Demand): void {
    const tenant = this.#tenants.get(key);
    if (tenant === undefined) return;
    this.#running--;
    this.#memoryBytes -= memoryBytes;
    this.#change(tenant, { running: -1, starting: 0, share: 0 });
    this.#ofLate.push({ at: this.#now(), tenant });
  }

  /** Takes out one that waits. False if it does not. */
  remove(id: string): boolean {
    const place = this.#line.get(id);
    if (place === undefined) return false;
    this.#forget(this.#takeOut(place));
    return true;
  }

  /** What p-queue asks for by priority is never asked here. */
  filter(): Start[] {
    return Array.from(this.#line, ({ start }) => start);
  }

  setPriority(): never {
    throw new Error('the priority of a run that waits does not change');
  }

  /** Whose turn it is, if it may start. */
  #first(): Place | undefined {
    const { concurrency, turnsPerTenant } = this.#options;
    if (this.#running >= concurrency || this.#starting >= TENANTS_WITH_ALL_TURNS * turnsPerTenant)
      return undefined;
    const place = this.#next();
    return place !== undefined && this.#hasRoom(place.memoryBytes) ? place : undefined;
  }

  /** Whose turn it is, be there room for it or not. */
  #next(): Place | undefined {
    this.#forgetSlots();
    return this.#line.next();
  }

  #hasRoom(memoryBytes: number): boolean {
    return this.#memoryBytes + memoryBytes <= this.#options.memoryBudgetBytes;
  }

  /** Some tenant, if not all, may wait for turns only. */
  #areTurnsShort(): boolean {
    return this.#starting >= this.#options.turnsPerTenant;
  }

  /** How many of so many that wait would have none if each that can have a slot had one. */
  #withoutSlots(waiting: number, wantedBytes: number, overBounds: number): number {
    const { concurrency, memoryBudgetBytes } = this.#options;
    const free = memoryBudgetBytes - this.#memoryBytes;
    const withMemory = wantedBytes <= free ? waiting : Math.floor((waiting * free) / wantedBytes);
    return waiting - Math.min(waiting - overBounds, concurrency - this.#running, withMemory);
  }

  #tenantOf(key: string | undefined): Tenant {
    let tenant = this.#tenants.get(key);
    if (tenant === undefined) {
      tenant = { key, share: 0, running: 0, starting: 0, waiting: 0, isBarred: false, lines: new Map() };
      this.#tenants.set(key, tenant);
    }
    return tenant;
  }

  #takeOut(place: Place): Tenant {
    const tenant = this.#tenantOf(place.key);
    this.#wantedBytes -= place.memoryBytes;
    this.#counting(tenant, () => this.#line.remove(place.id));
    return tenant;
  }

  #change(tenant: Tenant, by: Pick<Tenant, 'running' | 'starting' | 'share'>): void {
    const { maxConcurrencyPerKey, turnsPerTenant } = this.#options;
    this.#counting(tenant, () => {
      tenant.running += by.running;
      tenant.starting += by.starting;
    });
    const isBarred = tenant.running >= maxConcurrencyPerKey || tenant.starting >= turnsPerTenant;
    if (by.share !== 0 || isBarred !== tenant.isBarred)
      this.#line.move(tenant, { share: tenant.share + by.share, isBarred });
  }

  /** Around whatever changes how many of a tenant wait or run. */
  #counting(tenant: Tenant, change: () => void): void {
    const { maxConcurrencyPerKey } = this.#options;
    const overBound = (): number => Math.max(0, tenant.waiting + tenant.running - maxConcurrencyPerKey);
    const before = overBound();
    change();
    this.#overBounds += overBound() - before;
  }

  /** Those that were given back long enough ago no longer count. */
  #forgetSlots(): void {
    const since = this.#now() - OF_LATE_MS;
    const kept = this.#ofLate.findIndex(({ at }) => at > since);
    for (const { tenant } of this.#ofLate.splice(0, kept < 0 ? this.#ofLate.length : kept)) {
      this.#change(tenant, { running: 0, starting: 0, share: -1 });
      this.#forget(tenant);
    }
  }

  #forget(tenant: Tenant): void {
    if (tenant.share === 0 && tenant.waiting === 0) this.#tenants.delete(tenant.key);
  }
}
