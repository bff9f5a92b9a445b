/**
 * Who is next of those that wait: higher priorities first; among equals the tenant with the smallest share, so that one with few runs
 * does not wait behind one with many; of one tenant, first come, first served. Tenants that are barred are passed over. Every
 * operation takes constant time in the number of those that wait. Must not know what they wait for.
 */

export interface Rank {
  readonly id: string;
  readonly priority: number;
  /** The tenant. Those without one are of one tenant, too. */
  readonly key: string | undefined;
}

export interface Tenant<R extends Rank> {
  readonly key: string | undefined;
  /** What it has had of what is shared. */
  share: number;
  isBarred: boolean;
  /** How many of it wait. */
  waiting: number;
  readonly lines: Map<number, TenantLine<R>>;
}

/** Those of one tenant and one priority: a linked list, since any of them may leave. */
interface TenantLine<R extends Rank> {
  readonly tenant: Tenant<R>;
  readonly level: Level<R>;
  first: Place<R> | undefined;
  last: Place<R> | undefined;
}

interface Place<R extends Rank> {
  readonly rank: R;
  readonly line: TenantLine<R>;
  before: Place<R> | undefined;
  after: Place<R> | undefined;
}

/** The lines of one priority, by the shares of their tenants; among equals, who waits longest comes first. */
class Level<R extends Rank> {
  readonly #byShare: (Set<TenantLine<R>> | undefined)[] = [];
  /** No line is in a set before this one. */
  #lowest = 0;
  /** Lines of this priority, also those of barred tenants. */
  lines = 0;

  constructor(readonly priority: number) {}

  /** Does nothing if its tenant is barred. */
  add(line: TenantLine<R>): void {
    const { share, isBarred } = line.tenant;
    if (isBarred) return;
    let lines = this.#byShare[share];
    if (lines === undefined) {
      lines = new Set();
      this.#byShare[share] = lines;
    }
    lines.add(line);
    this.#lowest = Math.min(this.#lowest, share);
  }

  /** Does nothing if it is not in. */
  remove(line: TenantLine<R>): void {
    this.#byShare[line.tenant.share]?.delete(line);
  }

  /** A line whose tenant has the smallest share. */
  next(): TenantLine<R> | undefined {
    for (; this.#lowest < this.#byShare.length; this.#lowest++) {
      const [line] = this.#byShare[this.#lowest] ?? [];
      if (line !== undefined) return line;
    }
    return undefined;
  }
}

export class FairLine<R extends Rank> {
  /** Highest priority first. */
  readonly #levels: Level<R>[] = [];
  readonly #places = new Map<string, Place<R>>();

  get size(): number {
    return this.#places.size;
  }

  /** At the end of its tenant's line. */
  add(tenant: Tenant<R>, rank: R): void {
    const line = this.#lineOf(tenant, rank.priority);
    const place: Place<R> = { rank, line, before: line.last, after: undefined };
    if (line.last === undefined) {
      line.first = place;
      line.level.add(line);
    } else {
      line.last.after = place;
    }
    line.last = place;
    tenant.waiting++;
    this.#places.set(rank.id, place);
  }

  next(): R | undefined {
    for (const level of this.#levels) {
      const place = level.next()?.first;
      if (place !== undefined) return place.rank;
    }
    return undefined;
  }

  get(id: string): R | undefined {
    return this.#places.get(id)?.rank;
  }

  *[Symbol.iterator](): Generator<R, void> {
    for (const { rank } of this.#places.values()) yield rank;
  }

  /** Does nothing if it does not wait. */
  remove(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    const { line, before, after } = place;
    if (before === undefined) line.first = after;
    else before.after = after;
    if (after === undefined) line.last = before;
    else after.before = before;
    this.#places.delete(id);
    line.tenant.waiting--;
    if (line.first === undefined) this.#end(line);
  }

  /** Its lines move to where such tenants are, behind those that were there before. */
  move(tenant: Tenant<R>, to: Pick<Tenant<R>, 'share' | 'isBarred'>): void {
    for (const line of tenant.lines.values()) line.level.remove(line);
    tenant.share = to.share;
    tenant.isBarred = to.isBarred;
    for (const line of tenant.lines.values()) line.level.add(line);
  }

  #lineOf(tenant: Tenant<R>, priority: number): TenantLine<R> {
    let line = tenant.lines.get(priority);
    if (line === undefined) {
      line = { tenant, level: this.#levelOf(priority), first: undefined, last: undefined };
      tenant.lines.set(priority, line);
      line.level.lines++;
    }
    return line;
  }

  #levelOf(priority: number): Level<R> {
    let index = 0;
    for (const level of this.#levels) {
      if (level.priority === priority) return level;
      if (level.priority < priority) break;
      index++;
    }
    const level = new Level<R>(priority);
    this.#levels.splice(index, 0, level);
    return level;
  }

  #end(line: TenantLine<R>): void {
    const { tenant, level } = line;
    level.remove(line);
    tenant.lines.delete(level.priority);
    level.lines--;
    if (level.lines === 0) this.#levels.splice(this.#levels.indexOf(level), 1);
  }
}
