/**
 * The binary form of a policy (mir-encode.ts) to the policy that it says. Every byte is checked; whether the whole is in
 * canonical form, only who encodes it again can say.
 */
import { isUtf8 } from 'node:buffer';
import { PolicyError } from './errors.js';
import {
  ALLOW_PRIVATE_ADDRESSES,
  DESTINATION_KIND,
  MAGIC,
  NETWORK_MODES,
  REQUIRE_TLS_SNI,
  ROOT_MODES,
  RULE_KIND,
  TCP,
  VERSION,
} from './mir-encode.js';
import {
  MAX_DESTINATIONS,
  MAX_PATH_BYTES,
  MAX_POLICY_BYTES,
  MAX_RULES,
  type Policy,
  type PolicyDestination,
  type PolicyNetwork,
  type PolicyPath,
  type PolicyRule,
  type RuleRoot,
} from './policy.js';
import { ACCESSES, MISSING, ROOTS, SCOPES } from './rules.js';

/** True for what begins as the binary form does: no JSON text does. */
export function looksLikeMir(bytes: Uint8Array): boolean {
  return (
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4)).toString('latin1') === MAGIC
  );
}

/** Throws PolicyError, which names the byte. */
export function decodeMir(bytes: Uint8Array): Policy {
  if (bytes.byteLength > MAX_POLICY_BYTES) {
    throw new PolicyError(`the MIR has ${bytes.byteLength} bytes; the most is ${MAX_POLICY_BYTES}`);
  }
  if (!looksLikeMir(bytes)) {
    throw new PolicyError(`byte 0: this is no MIR, which begins with ${MAGIC}; JSON is for compilePolicy()`);
  }
  const reader = new Reader(bytes);
  reader.skip(MAGIC.length);
  reader.exactly(2, VERSION, 'the version');
  reader.exactly(2, 0, 'the flag field');
  const rules = reader.atMost(4, MAX_RULES, 'the number of rules');
  const mode = reader.oneOf(NETWORK_MODES, 'the network mode');
  const tree = reader.atMost(1, 1, 'tree confinement');
  const rootMode = reader.oneOf(ROOT_MODES, 'the root mode');
  reader.exactly(1, 0, 'a reserved byte');
  const destinations = reader.atMost(4, MAX_DESTINATIONS, 'the number of destinations');
  if ((mode === 'mediated') !== destinations > 0) {
    reader.fail(
      `the network ${mode} has ${destinations} destinations; mediated has at least 1, the others none`,
    );
  }
  const policy: Policy = {
    formatVersion: VERSION,
    filesystem: { default: 'deny', rules: Array.from({ length: rules }, () => readRule(reader)) },
    network: readNetwork(reader, mode, destinations),
    root: { mode: rootMode },
    process: { treeConfinement: tree === 1 ? 'required' : 'disabled' },
  };
  reader.end();
  return policy;
}

function readRule(reader: Reader): PolicyRule {
  reader.exactly(1, RULE_KIND, 'the kind of a rule');
  const access = reader.oneOf(ACCESSES, 'the access of a rule');
  const root = reader.oneOf(ROOTS, 'the root of a rule');
  const scope = reader.oneOf(SCOPES, 'the scope of a rule');
  const missing = reader.oneOf(MISSING, 'what a rule does when its target is missing');
  reader.exactly(3, 0, 'a reserved field');
  const path = reader.text(reader.atMost(4, MAX_PATH_BYTES, 'the length of a path'));
  if (root === 'minimal-runtime' && path !== '') reader.fail('a rule of the minimal runtime has no path');
  return { access, path: pathOf(root, path), scope, missing };
}

function pathOf(root: RuleRoot, path: string): PolicyPath {
  if (root === 'minimal-runtime') return { special: root };
  if (root === 'host') return { absolute: path };
  return path === '' ? { root } : { root, relative: path };
}

function readNetwork(reader: Reader, mode: PolicyNetwork['mode'], destinations: number): PolicyNetwork {
  if (mode !== 'mediated') return { mode };
  return { mode, allow: Array.from({ length: destinations }, () => readDestination(reader)) };
}

function readDestination(reader: Reader): PolicyDestination {
  reader.exactly(1, DESTINATION_KIND, 'the kind of a destination');
  reader.exactly(1, TCP, 'the protocol of a destination');
  const port = reader.number(2);
  if (port === 0) reader.fail('a destination has port 0; ports are 1 to 65535');
  const flags = reader.atMost(
    1,
    REQUIRE_TLS_SNI | ALLOW_PRIVATE_ADDRESSES,
    'the flag field of a destination',
  );
  reader.exactly(1, 0, 'a reserved byte');
  const host = reader.text(reader.number(2));
  return {
    protocol: 'tcp',
    host,
    port,
    ...((flags & REQUIRE_TLS_SNI) === 0 ? {} : { requireTlsSni: true }),
    ...((flags & ALLOW_PRIVATE_ADDRESSES) === 0 ? {} : { allowPrivateAddresses: true }),
  };
}

/** Takes from the front; every error says at which byte. */
class Reader {
  private readonly bytes: Buffer;
  private offset = 0;
  /** Where the last piece began: what fails is that. */
  private last = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  skip(length: number): void {
    this.take(length);
  }

  number(length: number): number {
    return this.take(length).readUIntBE(0, length);
  }

  exactly(length: number, wanted: number, what: string): void {
    const value = this.number(length);
    if (value !== wanted) this.fail(`${what} is ${value}; it must be ${wanted}`);
  }

  atMost(length: number, most: number, what: string): number {
    const value = this.number(length);
    return value <= most ? value : this.fail(`${what} is ${value}; the most is ${most}`);
  }

  oneOf<T extends string>(names: readonly T[], what: string): T {
    const value = this.number(1);
    return (
      names[value - 1] ??
      this.fail(`${what} is ${value}; it must be 1 to ${names.length} (${names.join(', ')})`)
    );
  }

  text(length: number): string {
    const bytes = this.take(length);
    return isUtf8(bytes) ? bytes.toString('utf8') : this.fail('this text is not UTF-8');
  }

  end(): void {
    this.last = this.offset;
    const rest = this.bytes.length - this.offset;
    if (rest > 0) this.fail(`${rest} bytes follow the last record; nothing may`);
  }

  fail(problem: string): never {
    throw new PolicyError(`byte ${this.last}: ${problem}`);
  }

  private take(length: number): Buffer {
    this.last = this.offset;
    const end = this.offset + length;
    if (end > this.bytes.length) this.fail(`the MIR ends here, where ${length} bytes must follow`);
    this.offset = end;
    return this.bytes.subarray(this.last, end);
  }
}
