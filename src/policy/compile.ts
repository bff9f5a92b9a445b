/** What somebody wrote, or its binary form, to a compiled policy. Whoever passes whatever gets a policy or a PolicyError. */
import { types } from 'node:util';
import { canonicalPolicy } from './canonical.js';
import { PolicyError } from './errors.js';
import { decodeText, parseStrictJson, refuseLong } from './json-text.js';
import { decodeMir, looksLikeMir } from './mir-decode.js';
import { plainCopy } from './plain-value.js';
import type { CompiledPolicy, PolicySource } from './policy.js';
import { checkShape } from './shape.js';

/**
 * Compiles a policy: an object, JSON text, or the UTF-8 bytes of JSON text. All three pass the same checks; an object is copied
 * first, without calling any code of its own. Of a policy that is compiled already, its `policy` is compiled again.
 *
 * Throws PolicyError (`ERR_POLICY_INVALID`), which says what is wrong where: line and column of a text that is not JSON, the
 * member of a policy. Text of more than 1 MiB or 32 levels, a key that is there twice or that does not exist are errors too.
 */
export function compilePolicy(source: PolicySource): CompiledPolicy {
  return canonicalPolicy(checkShape(dataOf(source)));
}

/** No JSON ends so: it would be within quotes or braces. */
const FILE_NAME = /^[^\n]*\.(?:json|mir)$/i;

function dataOf(source: unknown): unknown {
  if (typeof source === 'string') {
    if (FILE_NAME.test(source))
      throw new PolicyError(
        'this text is the name of a file, and no JSON: read the file, and pass what is in it',
      );
    return parseStrictJson(source);
  }
  if (types.isUint8Array(source)) {
    if (looksLikeMir(source))
      throw new PolicyError(
        'these bytes are MIR, not JSON: give them to decodePolicy(), and use what it returns',
      );
    return parseStrictJson(decodeText(source));
  }
  const value = plainCopy(writtenOf(source));
  refuseLong(Buffer.byteLength(JSON.stringify(value)));
  return value;
}

/** Of a compiled policy, told by its bytes, which no JSON has, what it was compiled from: nothing else of it is believed. */
function writtenOf(source: unknown): unknown {
  if (typeof source !== 'object' || source === null || types.isProxy(source)) return source;
  const bytes: unknown = Object.getOwnPropertyDescriptor(source, 'bytes')?.value;
  return types.isUint8Array(bytes) ? Object.getOwnPropertyDescriptor(source, 'policy')?.value : source;
}

/**
 * Decodes the binary form, MIR v3; `policy` is then made from it. Throws PolicyError (`ERR_POLICY_INVALID`), which names the
 * byte, for anything but the canonical form: encoding it again gives the same bytes.
 */
export function decodePolicy(bytes: Uint8Array): CompiledPolicy {
  if (!types.isUint8Array(bytes)) throw new PolicyError('MIR is bytes: pass a Uint8Array');
  const compiled = canonicalPolicy(decodeMir(bytes));
  if (!compiled.bytes.equals(bytes)) {
    const end = Math.min(compiled.bytes.length, bytes.length);
    const offset = compiled.bytes.subarray(0, end).findIndex((byte, index) => byte !== bytes[index]);
    throw new PolicyError(
      `byte ${offset === -1 ? end : offset}: this MIR is not in canonical form (normal paths, sorted records, one grant for each target); compile its policy anew`,
    );
  }
  return compiled;
}
