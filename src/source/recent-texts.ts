/** Keeps what was made of the texts that were used last, within a bound of bytes. Must not know what that is. */

interface Entry<V> {
  value: V;
  bytes: number;
}

/** What an entry costs beside its text: its key, its objects, its place in the map. */
const ENTRY_BYTES = 512;

export class RecentTexts<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // To the end of the map's order: the first is the one to go.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** `textLength`: of all texts that the value keeps alive, UTF-16 code units. */
  set(key: string, value: V, textLength: number): void {
    const bytes = ENTRY_BYTES + 2 * textLength;
    if (bytes > this.#maxBytes) return;
    const before = this.#entries.get(key);
    if (before !== undefined) this.#bytes -= before.bytes;
    this.#entries.delete(key);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= freed;
    }
  }
}
