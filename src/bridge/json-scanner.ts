/**
 * Checks one JSON object as strictly as code-bridge-v1 asks (no NUL, no duplicate key at any depth, no number beyond any double, nothing
 * but an object, at most 512 levels) without making a value of it, and finds its outermost members. It goes on where it
 * stopped when more bytes have come, so that a long frame costs a little with each of its chunks: a value of 349,000 objects,
 * which fit in one frame, held the thread for 0.2 s when it was made in one piece. Must not know what the members mean.
 */
import { MAX_NESTING, ProtocolViolation } from './protocol.js';

export interface JsonMember {
  key: string;
  /** Offsets of its value in the frame. */
  start: number;
  end: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/** What may come next, whitespace aside. */
type Expected =
  | 'object' /* the outermost */
  | 'value'
  | 'value or ]'
  | 'key'
  | 'key or }'
  | 'colon'
  | 'comma or close'
  | 'nothing';

/** What has begun and may go on in the next chunk. */
type Token = 'none' | 'string' | 'number' | 'word';

export class JsonScanner {
  #at = 0;
  #expected: Expected = 'object';
  #token: Token = 'none';
  #tokenStart = 0;
  /** The string in hand has a backslash. */
  #hasEscapes = false;
  /** Of the containers that are open, from the outermost: keys so far of an object, `null` for an array. */
  readonly #open: (KeySet | null)[] = [];
  readonly #members: JsonMember[] = [];

  /**
   * Scans on, up to `end`. `bytes`: the frame from its start; what was scanned must be the same as before. Throws ProtocolViolation,
   * saying what is wrong.
   */
  scan(bytes: Buffer, end: number): void {
    while (this.#at < end) {
      if (this.#token !== 'none') {
        if (!this.#continueToken(bytes, end)) return;
        continue;
      }
      const byte = bytes[this.#at] as number;
      if (isSpace(byte)) this.#at++;
      else this.#next(byte);
    }
  }

  /** After the last byte: the members of the object, in their order. Throws ProtocolViolation if it is not complete. */
  finish(bytes: Buffer, end: number): readonly JsonMember[] {
    this.scan(bytes, end);
    if (this.#expected !== 'nothing') throw invalid();
    return this.#members;
  }

  /** A byte outside of strings, numbers and words. */
  #next(byte: number): void {
    switch (this.#expected) {
      case 'object':
        if (byte !== OPEN_BRACE) throw STARTS_OF_VALUES.has(byte) ? notAnObject() : invalid(byte);
        this.#enter(byte);
        break;
      case 'value or ]':
        if (byte === CLOSE_BRACKET) this.#leave();
        else this.#beginValue(byte);
        break;
      case 'value':
        this.#beginValue(byte);
        break;
      case 'key or }':
        if (byte === CLOSE_BRACE) this.#leave();
        else this.#beginKey(byte);
        break;
      case 'key':
        this.#beginKey(byte);
        break;
      case 'colon':
        if (byte !== COLON) throw invalid(byte);
        this.#at++;
        this.#expected = 'value';
        break;
      case 'comma or close':
        this.#afterValue(byte);
        break;
      case 'nothing':
        throw invalid(byte);
    }
  }

  #beginKey(byte: number): void {
    if (byte !== QUOTE) throw invalid(byte);
    this.#begin('string');
  }

  #beginValue(byte: number): void {
    if (this.#open.length === 1) {
      const member = this.#members.at(-1);
      if (member !== undefined) member.start = this.#at;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#enter(byte);
    else if (byte === QUOTE) this.#begin('string');
    else if (isOfNumber(byte)) this.#begin('number');
    else if (isOfWord(byte)) this.#begin('word');
    else throw invalid(byte);
  }

  #afterValue(byte: number): void {
    const isObject = this.#open.at(-1) !== null;
    if (byte === COMMA) {
      this.#at++;
      this.#expected = isObject ? 'key' : 'value';
    } else if (byte === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) this.#leave();
    else throw invalid(byte);
  }

  #enter(byte: number): void {
    if (this.#open.length === MAX_NESTING) {
      throw new ProtocolViolation(`a frame is nested deeper than ${MAX_NESTING} levels`);
    }
    this.#at++;
    this.#open.push(byte === OPEN_BRACE ? new KeySet() : null);
    this.#expected = byte === OPEN_BRACE ? 'key or }' : 'value or ]';
  }

  #leave(): void {
    this.#at++;
    this.#open.pop();
    this.#endValue();
  }

  #endValue(): void {
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma or close';
    if (this.#open.length !== 1) return;
    const member = this.#members.at(-1);
    if (member !== undefined) member.end = this.#at;
  }

  #begin(token: Token): void {
    this.#token = token;
    this.#tokenStart = this.#at;
    this.#hasEscapes = false;
    if (token === 'string') this.#at++;
  }

  /** False if the token goes on after `end`. */
  #continueToken(bytes: Buffer, end: number): boolean {
    if (this.#token === 'string') return this.#continueString(bytes, end);
    const belongs = this.#token === 'number' ? isOfNumber : isOfWord;
    let at = this.#at;
    while (at < end && belongs(bytes[at] as number)) at++;
    this.#at = at;
    // Inside an object something always follows, and nothing else begins with a number or a word.
    if (at === end) return false;
    if (this.#token === 'number') {
      if (!isPlainInteger(bytes, this.#tokenStart, at)) {
        checkNumber(bytes.toString('latin1', this.#tokenStart, at));
      }
    } else if (!WORDS.has(bytes.toString('latin1', this.#tokenStart, at))) throw invalid();
    this.#token = 'none';
    this.#endValue();
    return true;
  }

  #continueString(bytes: Buffer, end: number): boolean {
    let at = this.#at;
    while (at < end) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.#at = at + 1;
        this.#endString(bytes);
        return true;
      }
      if (byte === BACKSLASH) {
        const length = escapeLength(bytes, at, end);
        if (length === 0) break;
        this.#hasEscapes = true;
        at += length;
      } else if (byte < SPACE) throw invalid(byte);
      else at++;
    }
    this.#at = at;
    return false;
  }

  #endString(bytes: Buffer): void {
    this.#token = 'none';
    if (this.#expected !== 'key' && this.#expected !== 'key or }') {
      this.#endValue();
      return;
    }
    const raw = bytes.toString('utf8', this.#tokenStart + 1, this.#at - 1);
    const key: string = this.#hasEscapes ? JSON.parse(`"${raw}"`) : raw;
    if (!this.#open.at(-1)?.add(key)) throw new ProtocolViolation('a frame has a duplicate key');
    if (this.#open.length === 1) this.#members.push({ key, start: 0, end: 0 });
    this.#expected = 'colon';
  }
}

/** Of the keys of one object. Most objects have few. */
class KeySet {
  static readonly #FEW = 8;
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** False if it is there already. */
  add(key: string): boolean {
    if (this.#many !== undefined) return this.#many.size < this.#many.add(key).size;
    if (this.#few.includes(key)) return false;
    this.#few.push(key);
    if (this.#few.length > KeySet.#FEW) this.#many = new Set(this.#few);
    return true;
  }
}

/** Bytes of the escape that begins at `at`; 0 if it goes on after `end`. */
function escapeLength(bytes: Buffer, at: number, end: number): number {
  if (at + 1 >= end) return 0;
  const kind = bytes[at + 1] as number;
  if (kind !== LETTER_U) {
    if (!SIMPLE_ESCAPES.has(kind)) throw invalid(kind);
    return 2;
  }
  if (at + 6 > end) return 0;
  for (let digit = at + 2; digit < at + 6; digit++) {
    if (!isHexadecimal(bytes[digit] as number)) throw invalid(bytes[digit]);
  }
  return 6;
}

const LETTER_U = 0x75;
const SIMPLE_ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** As most numbers are; what is not may be one all the same. */
function isPlainInteger(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > 15 || (bytes[start] === DIGIT_ZERO && end - start > 1)) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < DIGIT_ZERO || byte > DIGIT_NINE) return false;
  }
  return true;
}

const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** JSON.parse reads 1e999 as Infinity: no JSON that we write has it, and no handler expects one. */
function checkNumber(text: string): void {
  if (!NUMBER.test(text)) throw invalid();
  if (!Number.isFinite(Number(text))) {
    throw new ProtocolViolation('a frame has a number beyond those of IEEE 754');
  }
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** + - . 0-9 E e: not in a string, only numbers have them. */
function isOfNumber(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x65 ||
    byte === 0x45 ||
    byte === 0x2b
  );
}

function isOfWord(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

function isHexadecimal(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}

/** Of any JSON value but an object. */
const STARTS_OF_VALUES: ReadonlySet<number> = new Set(Buffer.from('["-0123456789tfn'));

function notAnObject(): ProtocolViolation {
  return new ProtocolViolation('a frame is not a JSON object');
}

function invalid(byte?: number): ProtocolViolation {
  return new ProtocolViolation(byte === 0 ? 'a frame contains a NUL byte' : 'a frame is not valid JSON');
}
