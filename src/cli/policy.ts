/** `wardenpool policy`: policies compiled, identified, shown and evaluated. Starts nothing. */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MINIMAL_RUNTIME } from '../executor/minimal-runtime.js';
import { realPathAsFarAsItExists } from '../executor/real-path.js';
import { resolvePolicy } from '../executor/resolve-policy.js';
import { evaluate } from '../policy/index.js';
import { inspectPolicy } from '../policy/inspect.js';
import { isWithin } from '../policy/paths.js';
import { NO_TEMP } from './policy-commands.js';
import { aboutPolicy, loadPolicy } from './policy-file.js';
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
  const { bytes } = await loadPolicy(file);
  const content = hex ? `${bytes.toString('hex')}\n` : bytes;
  const isStdout = output === '-';
  if (output !== undefined && !isStdout) {
    await writeFile(output, content).catch((error: unknown) => {
      throw new Error(`the MIR cannot be written to ${output}: ${messageOf(error)}`);
    });
  } else if (hex || isStdout || !process.stdout.isTTY) {
    process.stdout.write(content);
  } else {
    throw new Error('stdout is a terminal, and MIR is bytes: use --output FILE or --hex');
  }
}

async function hash(file: string): Promise<void> {
  const { digest } = await loadPolicy(file);
  process.stdout.write(`${digest}\n`);
}

async function inspect(file: string): Promise<void> {
  process.stdout.write(`${printableJson(inspectPolicy(await loadPolicy(file)))}\n`);
}

async function evaluatePaths(file: string, paths: string[], options: EvaluateOptions): Promise<void> {
  if (paths.includes('')) throw new Error('a path is empty: write . for the workspace itself');
  const compiled = await loadPolicy(file);
  const workspace = resolve(options.workspace ?? '.');
  const temp = resolve(options.temp ?? NO_TEMP);
  const answers = aboutPolicy(file, () => {
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
