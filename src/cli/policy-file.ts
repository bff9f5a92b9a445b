/** A policy that somebody names by a file: JSON, or its binary form, MIR. Whatever is wrong with it, the error names the file. */
import { createReadStream } from 'node:fs';
import { type CompiledPolicy, compilePolicy, decodePolicy } from '../policy/index.js';
import { looksLikeMir } from '../policy/mir-decode.js';
import { MAX_POLICY_BYTES } from '../policy/policy.js';
import { bytesOf } from './raw-arguments.js';

/** `file`: as `rawArguments()` gave it; `-`: stdin. Rejects with one clear sentence. */
export async function loadPolicy(file: string): Promise<CompiledPolicy> {
  const bytes = await readPolicy(file);
  return aboutPolicy(file, () => (looksLikeMir(bytes) ? decodePolicy(bytes) : compilePolicy(bytes)));
}

/** Says which policy it was that a problem is about. */
export function aboutPolicy<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw problemOfPolicy(file, error);
  }
}

export function problemOfPolicy(file: string, cause: unknown): Error {
  return new Error(`the policy ${file.toWellFormed()}: ${messageOf(cause)}`, { cause });
}

async function readPolicy(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(bytesOf(file))) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_POLICY_BYTES) break;
    }
  } catch (error) {
    throw new Error(`the policy ${file.toWellFormed()} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (length > MAX_POLICY_BYTES) {
    throw new Error(
      `the policy ${file.toWellFormed()} has more than ${MAX_POLICY_BYTES} bytes, which no policy has`,
    );
  }
  return Buffer.concat(chunks);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
