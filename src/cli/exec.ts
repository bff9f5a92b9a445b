/** `wardenpool exec`: one program from a file or stdin, run once in a pool of one thread. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import {
  createPool,
  type JsonValue,
  type LogEntry,
  type RunResult,
  type ToolCallRecord,
  type ToolSet,
} from '../index.js';
import { describeError, describeToolError, logLine } from './exec-text.js';
import { ReceiptFile } from './receipt-file.js';
import { printableJson } from './terminal-text.js';

export interface ExecOptions {
  tools?: string;
  timeoutMs?: number;
  json: boolean;
  receipt?: string;
}

const EXIT_PROGRAM_FAILED = 1;

/** Returns the exit code. Rejects, with one clear sentence, when the program could not be run. */
export async function exec(file: string, options: ExecOptions): Promise<number> {
  const code = await readProgram(file);
  const tools = options.tools === undefined ? {} : await loadTools(options.tools);
  const run = await runForReceipt(code, tools, options);
  if (options.json) process.stdout.write(`${printableJson(run)}\n`);
  else if (!run.ok) process.stderr.write(describeError(run.error));
  else if (run.value !== undefined) process.stdout.write(`${printableJson(run.value)}\n`);
  return run.ok ? 0 : EXIT_PROGRAM_FAILED;
}

async function runForReceipt(code: string, tools: ToolSet, options: ExecOptions): Promise<RunResult> {
  if (options.receipt === undefined) return runOnce(code, tools, options);
  const receiptFile = new ReceiptFile(options.receipt);
  try {
    const run = await runOnce(code, tools, options);
    await receiptFile.write(run.receipt);
    return run;
  } finally {
    receiptFile.close();
  }
}

async function runOnce(code: string, tools: ToolSet, { timeoutMs, json }: ExecOptions): Promise<RunResult> {
  const limits = timeoutMs === undefined ? {} : { timeoutMs };
  // With --json the logs are part of what is printed.
  const onLog = json ? undefined : (entry: LogEntry) => process.stderr.write(logLine(entry));
  const onToolCall = (record: ToolCallRecord) => {
    if (record.error !== undefined) process.stderr.write(describeToolError(record));
  };
  const pool = await createPool({ threads: 1, concurrency: 1, warm: { min: 0, max: 1 }, limits });
  try {
    return await pool.run<JsonValue | undefined>(code, tools, { onLog, onToolCall });
  } finally {
    await pool.close();
  }
}

async function readProgram(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw new Error(`the program ${file} cannot be read: ${messageOf(error)}`);
  }
  try {
    return withoutInterpreter(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error(`the program ${file} is not UTF-8 text: convert it`);
  }
}

/** A first line with `#!` is for the kernel that starts the file. Blanked, not cut out: positions stay as they are. */
function withoutInterpreter(program: string): string {
  return program.replace(/^#!.*/, (line) => ' '.repeat(line.length));
}

async function loadTools(module: string): Promise<ToolSet> {
  let namespace: Record<string, unknown>;
  try {
    namespace = await import(pathToFileURL(resolve(module)).href);
  } catch (error) {
    throw new Error(`the tools of ${module} cannot be loaded: ${messageOf(error)}`);
  }
  const { default: defaultExport, ...named } = namespace;
  // createPool's run() checks the tools themselves, and names what is wrong with them.
  return (typeof defaultExport === 'object' && defaultExport !== null ? defaultExport : named) as ToolSet;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
