/**
 * How fast something arrived in the last seconds: the most that came in any tenth of a second of the last five. Counting
 * takes constant time and memory, and no timer.
 */

const SLOT_MS = 100;
const SLOTS = 50;

export class ArrivalRate {
  /** A ring: what came in each tenth of a second. */
  readonly #slots = new Uint32Array(SLOTS);
  #current = 0;

  /** One arrived at `now`, in milliseconds of a clock that never goes back. */
  count(now: number): void {
    this.#moveTo(Math.floor(now / SLOT_MS));
    const index = this.#current % SLOTS;
    this.#slots[index] = (this.#slots[index] ?? 0) + 1;
  }

  /** Of the tenth of a second in which most came, as of the last that came. */
  get peak(): number {
    return Math.max(...this.#slots);
  }

  #moveTo(slot: number): void {
    if (slot - this.#current >= SLOTS) this.#slots.fill(0);
    else for (let each = this.#current + 1; each <= slot; each++) this.#slots[each % SLOTS] = 0;
    this.#current = slot;
  }
}
