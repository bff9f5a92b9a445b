/**
 * A command's descriptor 3 as a stream, and its diagnostics as another. Back-pressure goes both ways: what nobody reads is not
 * taken from the kernel, and a write is done when the kernel has it. Must not know what the bytes mean.
 */
import { Duplex, Readable } from 'node:stream';

/** What the stream does to the sandbox. */
export interface ProtocolSource {
  /** False if the command no longer reads. */
  write(chunk: Buffer): boolean;
  /** Queued, and not yet taken by the kernel. */
  readonly pendingBytes: number;
  endInput(): void;
  setPaused(paused: boolean): void;
  /** What the command still sends is for nobody: its writes fail. */
  closeOutput(): void;
}

type Act = (source: ProtocolSource) => void;

/** The parent's end of descriptor 3. Ending it half-closes: what the command still sends is still received. */
export class ProtocolStream extends Duplex {
  #source: ProtocolSource | undefined;
  #isOver = false;
  #isPaused = false;
  #onDrained: (() => void) | undefined;
  /** What waits for the sandbox to be there. */
  #early: Act | undefined;

  constructor() {
    super({ allowHalfOpen: true, readableHighWaterMark: 65_536, writableHighWaterMark: 65_536 });
  }

  /** The sandbox is there. */
  connect(source: ProtocolSource): void {
    this.#source = source;
    const early = this.#early;
    this.#early = undefined;
    if (this.destroyed) {
      source.endInput();
      source.closeOutput();
    } else {
      early?.(source);
    }
  }

  received(chunk: Buffer): void {
    if (this.destroyed || this.push(chunk) || this.#isOver) return;
    this.#isPaused = true;
    this.#source?.setPaused(true);
  }

  drained(): void {
    const done = this.#onDrained;
    this.#onDrained = undefined;
    done?.();
  }

  /** The command closed its half, and everything that it sent was delivered. */
  outputEnded(): void {
    if (!this.destroyed && !this.readableEnded) this.push(null);
  }

  /** There is no sandbox, or no longer one. What is written now is for nobody. */
  disconnect(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#source = undefined;
    this.outputEnded();
    this.drained();
    const early = this.#early;
    this.#early = undefined;
    early?.(NOBODY);
  }

  override _read(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source?.setPaused(false);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#with((source) => {
      // What nobody is going to read waits until it is all over: whoever writes stalls, as at a pipe that nobody reads.
      if (source.write(chunk) && source.pendingBytes === 0) done();
      else this.#onDrained = done;
    });
  }

  override _final(done: () => void): void {
    this.#with((source) => {
      source.endInput();
      done();
    });
  }

  /** Nobody reads or writes any more: the command finds its input ended, and its next write fails. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source?.endInput();
    this.#source?.closeOutput();
    this.#onDrained = undefined;
    this.#early = undefined;
    done(error);
  }

  /** A stream asks for one thing at a time, so that one is all that ever waits. */
  #with(act: Act): void {
    if (this.#source !== undefined) act(this.#source);
    else if (this.#isOver) act(NOBODY);
    else this.#early = act;
  }
}

const NOBODY: ProtocolSource = {
  write: () => true,
  pendingBytes: 0,
  endInput() {},
  setPaused() {},
  closeOutput() {},
};

/**
 * Diagnostics: kept for a reader up to the sandbox's own limit, so that nobody has to read them; without a limit, they are taken
 * from the command as they are read.
 */
export class DiagnosticsStream extends Readable {
  #setPaused: ((paused: boolean) => void) | undefined;
  #isPaused = false;
  #isWanted = false;
  #hasEnded = false;
  /** What waits for a reader, in one piece: a command that writes single bytes must not make us hold an object for each. */
  #waiting: Buffer = Buffer.alloc(0);
  #waitingBytes = 0;

  /** Back-pressure, by `setPaused`: for diagnostics without a limit. */
  throttle(setPaused: (paused: boolean) => void): void {
    this.#setPaused = setPaused;
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pause(false);
    this.#deliver();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#waiting = Buffer.alloc(0);
    this.#waitingBytes = 0;
    this.#pause(false);
    done(error);
  }

  received(chunk: Buffer): void {
    if (this.destroyed) return;
    if (this.#isWanted) {
      this.#isWanted = this.push(chunk);
      return;
    }
    this.#keep(chunk);
    this.#pause(true);
  }

  /** Everything was delivered. */
  outputEnded(): void {
    this.#hasEnded = true;
    this.#deliver();
  }

  #keep(chunk: Buffer): void {
    const needed = this.#waitingBytes + chunk.length;
    if (needed > this.#waiting.length) {
      const grown = Buffer.allocUnsafe(Math.max(FIRST_CAPACITY, 2 * this.#waiting.length, needed));
      this.#waiting.copy(grown, 0, 0, this.#waitingBytes);
      this.#waiting = grown;
    }
    chunk.copy(this.#waiting, this.#waitingBytes);
    this.#waitingBytes = needed;
  }

  #deliver(): void {
    if (this.destroyed || this.readableEnded) return;
    if (this.#isWanted && this.#waitingBytes > 0) {
      const waiting = this.#waiting.subarray(0, this.#waitingBytes);
      this.#waiting = Buffer.alloc(0);
      this.#waitingBytes = 0;
      this.#isWanted = this.push(waiting);
    }
    if (this.#hasEnded && this.#waitingBytes === 0) this.push(null);
  }

  #pause(paused: boolean): void {
    if (paused === this.#isPaused) return;
    this.#isPaused = paused;
    this.#setPaused?.(paused);
  }
}

const FIRST_CAPACITY = 4_096;
