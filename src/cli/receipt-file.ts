/** Where a receipt is written to: a file, a FIFO, a device, or a descriptor that we were started with. */
import { writeFile } from 'node:fs';
import { promisify } from 'node:util';
import { bytesOf } from './raw-arguments.js';
import { SettledFile } from './settled-file.js';
import { printableJson } from './terminal-text.js';

const writeTo = promisify(writeFile);

/** By its number, and not by a second opening: a socket has none, and a file would be written from its start. */
const DESCRIPTOR = /^\/(?:dev|proc\/self)\/fd\/(\d{1,7})$/;
const STREAMS: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2 };

function descriptorOf(file: string): number | undefined {
  const number = DESCRIPTOR.exec(file)?.[1];
  return number === undefined ? STREAMS[file] : Number(number);
}

/** To be opened before anything runs, so that what runs has no say in where its receipt goes. */
export class ReceiptFile {
  readonly #file: string;
  readonly #target: number | SettledFile;

  /** `file`: as `rawArguments()` gave it. Writes nothing yet. Throws an error of one clear sentence. */
  constructor(file: string) {
    this.#file = file;
    try {
      this.#target = descriptorOf(file) ?? new SettledFile(bytesOf(file));
    } catch (error) {
      throw this.#problem(error);
    }
  }

  /** Rejects with an error of one clear sentence. */
  async write(receipt: unknown): Promise<void> {
    const text = `${printableJson(receipt)}\n`;
    try {
      await (typeof this.#target === 'number' ? writeTo(this.#target, text) : this.#target.write(text));
    } catch (error) {
      throw this.#problem(error);
    }
  }

  close(): void {
    if (typeof this.#target !== 'number') this.#target.close();
  }

  #problem(error: unknown): Error {
    const { message } = error as Error;
    return new Error(`the receipt cannot be written to ${this.#file.toWellFormed()}: ${message}`, {
      cause: error,
    });
  }
}
