/** Where a receipt is written to: a file, a FIFO, or a descriptor that we were started with. */
import { writeFile } from 'node:fs';
import { promisify } from 'node:util';
import { bytesOf } from './raw-arguments.js';
import { printableJson } from './terminal-text.js';

const write = promisify(writeFile);

/** By its number, and not by a second opening: a socket has none, and a file would be written from its start. */
const DESCRIPTOR = /^\/(?:dev|proc\/self)\/fd\/(\d{1,7})$/;
const STREAMS: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2 };

function descriptorOf(file: string): number | undefined {
  const number = DESCRIPTOR.exec(file)?.[1];
  return number === undefined ? STREAMS[file] : Number(number);
}

/** `file`: as `rawArguments()` gave it. Rejects with one clear sentence. */
export async function writeReceipt(file: string, receipt: unknown): Promise<void> {
  try {
    await write(descriptorOf(file) ?? bytesOf(file), `${printableJson(receipt)}\n`);
  } catch (error) {
    throw new Error(`the receipt cannot be written to ${file.toWellFormed()}: ${(error as Error).message}`);
  }
}
