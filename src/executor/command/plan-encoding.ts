/**
 * A command's plan in the form in which its launcher reads it: native/command/plan.h. Must not know what is in it.
 */
import { endianness } from 'node:os';
import type { Operation } from './operations.js';

/** Text is encoded as UTF-8; bytes are what they are. Neither may contain a NUL. */
export type Text = string | Uint8Array;

/** Of the kernel; what is undefined stays as it is. */
export interface ResourceLimits {
  cpuSeconds?: number;
  fileBytes?: number;
  openFiles?: number;
  processes?: number;
  dataBytes?: number;
}

/** A program that makes the sandbox: native/command/tool.c. */
export interface SandboxTool {
  path: string;
  /** From the program's own name on. */
  arguments: readonly string[];
  environment: readonly string[];
  /** What it reads at `ToolDescriptor.options`, each followed by a NUL. */
  options: readonly string[];
}

/** Mirrors enum tool_descriptor: what is open in that program. */
export const ToolDescriptor = {
  options: 4,
  launcher: 5,
  /** For the launcher inside: what each granted path is. */
  notes: 6,
  /** The content of the plan's first file; the next, of the second; and so on. */
  files: 7,
} as const;

export interface EncodedPlan {
  /** Namespaces of its own, and a root of `operations`. */
  namespaces: boolean;
  /** A network namespace too. */
  privateNetwork: boolean;
  writableRoot: boolean;
  /** The seccomp filter for commands, Landlock, no_new_privs, no capabilities. */
  filter: boolean;
  limits: ResourceLimits;
  /** Of the file system that is the root: everything in it that is not mounted. */
  rootBytes: number;
  rootEntries: number;
  executable: Text;
  directory: string;
  arguments: readonly Text[];
  environment: readonly Text[];
  operations: readonly Operation[];
  /** Numbers of descriptors that the command gets besides. */
  preserved: readonly number[];
  /** Makes the namespaces and the root. Default: the launcher does. */
  tool?: SandboxTool;
}

const MAGIC = 0x4e414c50;
const VERSION = 2;

const Flag = { namespaces: 1, privateNetwork: 2, writableRoot: 4, filter: 8, tool: 16 } as const;

/** In the order of enum operation_kind. */
const KINDS = [
  'directory',
  'file',
  'link',
  'grant',
  'temporary',
  'proc',
  'hide',
  'write-protect',
  'pin',
  'hold-place',
  'absent',
] as const satisfies readonly Operation['kind'][];

const GrantFlag = { writable: 1, devices: 2, owner: 4 } as const;

const NO_LIMIT = 2n ** 64n - 1n;

class Writer {
  readonly #parts: Buffer[] = [];

  number(value: number): void {
    const bytes = Buffer.alloc(4);
    if (endianness() === 'LE') bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    this.#parts.push(bytes);
  }

  long(value: number | bigint): void {
    const bytes = Buffer.alloc(8);
    if (endianness() === 'LE') bytes.writeBigUInt64LE(BigInt(value));
    else bytes.writeBigUInt64BE(BigInt(value));
    this.#parts.push(bytes);
  }

  text(value: Text): void {
    const bytes = Buffer.from(value as string);
    this.number(bytes.length);
    this.#parts.push(bytes, Buffer.alloc(1));
  }

  texts(values: readonly Text[]): void {
    this.number(values.length);
    for (const value of values) this.text(value);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** Flags, the two numbers, and the text of an operation. */
function operands(operation: Operation): [flags: number, a: number, b: number, text: string] {
  switch (operation.kind) {
    case 'directory':
      return [0, operation.mode, 0, ''];
    case 'file':
      return [0, operation.mode, 0, operation.content];
    case 'link':
      return [0, 0, 0, operation.to];
    case 'temporary':
      return [0, operation.bytes, operation.entries, ''];
    case 'grant': {
      const { writable, devices, owner, source } = operation;
      const flags =
        (writable ? GrantFlag.writable : 0) |
        (devices ? GrantFlag.devices : 0) |
        (owner ? GrantFlag.owner : 0);
      return [flags, owner?.user ?? 0, owner?.group ?? 0, source];
    }
    default:
      return [0, 0, 0, ''];
  }
}

export function encodePlan(plan: EncodedPlan): Buffer {
  const writer = new Writer();
  writer.number(MAGIC);
  writer.number(VERSION);
  let flags = 0;
  for (const [name, bit] of Object.entries(Flag)) if (plan[name as keyof typeof Flag]) flags |= bit;
  writer.number(flags);
  const { cpuSeconds, fileBytes, openFiles, processes, dataBytes } = plan.limits;
  // In the order of enum plan_limit.
  for (const limit of [cpuSeconds, fileBytes, openFiles, processes, dataBytes])
    writer.long(limit ?? NO_LIMIT);
  writer.long(plan.rootBytes);
  writer.long(plan.rootEntries);
  writer.text(plan.executable);
  writer.text(plan.directory);
  writer.texts(plan.arguments);
  writer.texts(plan.environment);
  writer.number(plan.operations.length);
  for (const operation of plan.operations) {
    const [operationFlags, a, b, text] = operands(operation);
    writer.number(KINDS.indexOf(operation.kind) + 1);
    writer.number(operationFlags);
    writer.long(a);
    writer.long(b);
    writer.text(operation.target);
    writer.text(text);
  }
  writer.number(plan.preserved.length);
  for (const number of plan.preserved) writer.number(number);
  const { tool } = plan;
  writer.text(tool?.path ?? '');
  writer.texts(tool?.arguments ?? []);
  writer.texts(tool?.environment ?? []);
  writer.text(tool?.options.map((option) => `${option}\0`).join('') ?? '');
  return writer.bytes();
}
