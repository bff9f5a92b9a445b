// The scripted runner's end of the bridge: what a case says to the host under test, and what it hears. It writes with
// blocking calls, so that a case decides which bytes leave in one piece and that all have left before it exits; and it
// notes everything that it hears in a file, for the suite to judge. Checks nothing by itself.
import { appendFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

export const VERSION = 'code-bridge-v1';

/** @typedef {{ [member: string]: unknown }} Members */
/**
 * @typedef {object} Execute What a case needs of the frame that it was sent; nothing of it was checked.
 * @property {string} executionId
 * @property {string} code
 * @property {{ maxToolCalls: number, maxResultBytes: number, timeoutMs: number }} limits
 * @property {string[]} [features]
 */

const SOCKET = 3;

export class Peer {
  #text = '';
  /** @type {string[]} */
  #lines = [];
  #isEnded = false;
  #isReading = false;
  /** @type {(() => void)[]} */
  #waiting = [];
  #transcript;
  /** For reading, and only once a case reads; and for the end of our half. */
  #socket = new Socket({ fd: SOCKET, allowHalfOpen: true, readable: true, writable: true });
  /** @type {Execute | undefined} */
  #execute;
  #calls = 0;

  /** @param {string} transcript The file for what is heard: a line of JSON for each event. */
  constructor(transcript) {
    this.#transcript = transcript;
    this.#note({ event: 'started', pid: process.pid });
    this.#socket.on('error', () => process.exit(1)); // the host is gone
  }

  /** @param {Members} event */
  #note(event) {
    appendFileSync(this.#transcript, `${JSON.stringify(event)}\n`);
  }

  #read() {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#socket.on('data', (chunk) => {
      this.#note({ event: 'heard', bytes: chunk.toString('base64') });
      const lines = (this.#text + chunk.toString('latin1')).split('\n');
      this.#text = lines.pop() ?? '';
      this.#lines.push(...lines.map((line) => Buffer.from(line, 'latin1').toString()));
      this.#wake();
    });
    this.#socket.on('end', () => {
      this.#note({ event: 'ended' });
      this.#isEnded = true;
      this.#wake();
    });
  }

  #wake() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /**
   * The next frame of the host; undefined once it has closed its half.
   * @returns {Promise<Members | undefined>}
   */
  async hear() {
    this.#read();
    while (this.#lines.length === 0 && !this.#isEnded) {
      await new Promise((resolve) => this.#waiting.push(() => resolve(undefined)));
    }
    const line = this.#lines.shift();
    return line === undefined ? undefined : JSON.parse(line);
  }

  /** @param {number} ms */
  pause(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** From here on, what the host sends stays where it is. */
  stopHearing() {
    this.#socket.pause();
  }

  closeHalf() {
    this.#socket.end();
  }

  /**
   * Writes all of it before it returns.
   * @param {string | Uint8Array} bytes
   */
  write(bytes) {
    const buffer = Buffer.from(bytes);
    for (let sent = 0; sent < buffer.length; ) {
      try {
        sent += writeSync(SOCKET, buffer, sent);
      } catch (error) {
        const { code } = /** @type {NodeJS.ErrnoException} */ (error);
        if (code !== 'EAGAIN') process.exit(1); // the host is gone
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }

  /** @param {Members} frame Its version is added; a member that is undefined is left out. */
  text(frame) {
    return `${JSON.stringify({ version: VERSION, ...frame })}\n`;
  }

  /** @param {Members} frame */
  say(frame) {
    this.write(this.text(frame));
  }

  /** Waits for `execute`. */
  async execute() {
    this.#execute ??= /** @type {Execute} */ (/** @type {unknown} */ (await this.hear()));
    return this.#execute;
  }

  /**
   * The `ready` frame: what was asked for is what is given, and no feature is granted.
   * @param {Members} [members]
   */
  async readyFrame(members = {}) {
    const { executionId, limits } = await this.execute();
    const { maxToolCalls, maxResultBytes, timeoutMs } = limits;
    const effectiveLimits = { maxToolCalls, maxResultBytes, timeoutMs };
    return { type: 'ready', executionId, runnerVersion: '1.0.0', effectiveLimits, ...members };
  }

  /**
   * Waits for `execute` and says `ready`.
   * @param {Members} [members]
   */
  async ready(members) {
    this.say(await this.readyFrame(members));
    return this.execute();
  }

  /** @param {Members} [members] */
  callFrame(members = {}) {
    this.#calls++;
    return { type: 'tool.call', id: this.#calls, name: 'echo', arguments: {}, ...members };
  }

  /** @param {Members} [members] */
  call(members) {
    this.say(this.callFrame(members));
    return this.hear();
  }

  /**
   * The terminal frame: `result`, unless `members` say otherwise.
   * @param {unknown} result
   * @param {Members} [members]
   */
  async terminalFrame(result, members = {}) {
    const { executionId } = await this.execute();
    const metrics = { elapsedMs: 1, toolCalls: this.#calls };
    return { type: 'execution.result', executionId, ok: true, result, metrics, ...members };
  }

  /**
   * Says the terminal frame, and exits at once.
   * @param {unknown} result
   * @param {Members} [members]
   * @returns {Promise<never>}
   */
  async finish(result, members) {
    this.say(await this.terminalFrame(result, members));
    return process.exit(0);
  }

  /**
   * The same with a failure.
   * @param {Members} error
   */
  fail(error) {
    return this.finish(undefined, { ok: false, error });
  }

  /** Until the host has closed its half. */
  async ended() {
    while ((await this.hear()) !== undefined);
  }
}
