/** `wardenpool policy`: policies compiled, identified, shown and evaluated. Starts nothing. */

import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MINIMAL_RUNTIME } from '../executor/minimal-runtime.js';
import { realPathAsFarAsItExists } from '../executor/real-path.js';
import { resolvePolicy } from '../executor/resolve-policy.js';
import { type CompiledPolicy, compilePolicy, decodePolicy, evaluate } from '../policy/index.js';
import { inspectPolicy } from '../policy/inspect.js';
import { looksLikeMir } from '../policy/mir-decode.js';
import { isWithin } from '../policy/paths.js';
import { MAX_POLICY_BYTES } from '../policy/policy.js';
import { NO_TEMP } from './policy-commands.js';
import { printableJson, visible } from './terminal-text.js';

export interface CompileOptions {
  output?: string;
  hex: boolean;
}

export interface EvaluateOptions {
  workspace?: string;
  temp?: string;
  json: boolean;
}

/** Each prints to stdout. Each rejects, with one clear sentence, when there is no answer. */
export const policy = { compile, hash, inspect, evaluate: evaluatePaths };

async function compile(file: string, { output, hex }: CompileOptions): Promise<void> {
  const { bytes } = await load(file);
  const content = hex ? `${bytes.toString('hex')}\n` : bytes;
  if (output !== undefined) {
    await writeFile(output, content).catch((error: unknown) => {
      throw new Error(`the MIR cannot be written to ${output}: ${messageOf(error)}`);
    });
  } else if (hex || !process.stdout.isTTY) {
    process.stdout.write(content);
  } else {
    throw new Error('stdout is a terminal, and MIR is bytes: use --output FILE or --hex');
  }
}

async function hash(file: string): Promise<void> {
  const { digest } = await load(file);
  process.stdout.write(`${digest}\n`);
}

async function inspect(file: string): Promise<void> {
  process.stdout.write(`${printableJson(inspectPolicy(await load(file)))}\n`);
}

async function evaluatePaths(file: string, paths: string[], options: EvaluateOptions): Promise<void> {
  const compiled = await load(file);
  const workspace = resolve(options.workspace ?? '.');
  const temp = resolve(options.temp ?? NO_TEMP);
  const answers = about(file, () => {
    const rules = resolvePolicy(compiled, { workspace, temp, minimalRuntime: MINIMAL_RUNTIME });
    return paths.map((path) => {
      const host = resolve(workspace, path);
      const real = isWithin(host, temp) ? host : realPathAsFarAsItExists(host);
      return { path, realPath: real, ...evaluate(rules, real) };
    });
  });
  if (options.json) {
    process.stdout.write(`${printableJson({ policyDigest: compiled.digest, paths: answers })}\n`);
    return;
  }
  for (const { path, realPath, permission, reason } of answers) {
    const link = realPath === resolve(workspace, path) ? '' : ` -> ${realPath}`;
    process.stdout.write(`${permission.padEnd(10)}  ${reason.padEnd(15)}  ${oneLine(path + link)}\n`);
  }
}

/** A path without line breaks: each answer has one line. */
function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

async function load(file: string): Promise<CompiledPolicy> {
  const bytes = await readPolicy(file);
  return about(file, () => (looksLikeMir(bytes) ? decodePolicy(bytes) : compilePolicy(bytes)));
}

async function readPolicy(file: string): Promise<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_POLICY_BYTES) break;
    }
  } catch (error) {
    throw new Error(`the policy ${file} cannot be read: ${messageOf(error)}`);
  }
  if (length > MAX_POLICY_BYTES) {
    throw new Error(`the policy ${file} has more than ${MAX_POLICY_BYTES} bytes, which no policy has`);
  }
  return Buffer.concat(chunks);
}

/** Says which policy it was that a problem is about. */
function about<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`the policy ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
