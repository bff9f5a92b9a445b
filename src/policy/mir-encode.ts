/**
 * The binary form of a policy, MIR v3, and its digest. Big-endian; the same bytes for the same meaning. Must not know JSON.
 *
 * Header, 20 bytes: "MMIR", u16 version, u16 0, u32 rules, u8 network, u8 tree confinement, u8 root mode, u8 0, u32 destinations.
 * Rule: u8 1, u8 access, u8 root, u8 scope, u8 missing, 3 zero bytes, u32 length, path.
 * Destination: u8 2, u8 1 (TCP), u16 port, u8 flags, u8 0, u16 length, host.
 */
import { createHash } from 'node:crypto';
import type { CanonicalDestination, CanonicalPolicy, CanonicalRule } from './policy.js';
import { ACCESSES, MISSING, ROOTS, SCOPES } from './rules.js';

export const MAGIC = 'MMIR';
export const VERSION = 3;
export const HEADER_BYTES = 20;
export const RULE_PREFIX_BYTES = 12;
export const DESTINATION_PREFIX_BYTES = 8;
export const RULE_KIND = 1;
export const DESTINATION_KIND = 2;
export const TCP = 1;
export const REQUIRE_TLS_SNI = 1;
export const ALLOW_PRIVATE_ADDRESSES = 2;

/** Each is written as its position here, from 1. */
export const NETWORK_MODES = ['none', 'direct', 'mediated'] as const;
export const ROOT_MODES = ['read-only', 'ephemeral-write'] as const;

export function encodeMir({ rules, network, rootMode, treeConfinement }: CanonicalPolicy): Buffer {
  const destinations = network.mode === 'mediated' ? network.allow : [];
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  header.writeUInt16BE(VERSION, 4);
  header.writeUInt32BE(rules.length, 8);
  header.writeUInt8(NETWORK_MODES.indexOf(network.mode) + 1, 12);
  header.writeUInt8(treeConfinement ? 1 : 0, 13);
  header.writeUInt8(ROOT_MODES.indexOf(rootMode) + 1, 14);
  header.writeUInt32BE(destinations.length, 16);
  return concatenated([header, ...rules.map(encodeRule), ...destinations.map(encodeDestination)]);
}

/** In memory of its own: that of Buffer.concat() may be shared with buffers of anybody. */
function concatenated(records: readonly Buffer[]): Buffer {
  const bytes = Buffer.alloc(records.reduce((length, record) => length + record.length, 0));
  let offset = 0;
  for (const record of records) offset += record.copy(bytes, offset);
  return bytes;
}

/** SHA-256, 64 lower-case hexadecimal digits. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function encodeRule({ access, root, scope, missing, path }: CanonicalRule): Buffer {
  const text = Buffer.from(path);
  const prefix = Buffer.alloc(RULE_PREFIX_BYTES);
  prefix.writeUInt8(RULE_KIND, 0);
  prefix.writeUInt8(ACCESSES.indexOf(access) + 1, 1);
  prefix.writeUInt8(ROOTS.indexOf(root) + 1, 2);
  prefix.writeUInt8(SCOPES.indexOf(scope) + 1, 3);
  prefix.writeUInt8(MISSING.indexOf(missing) + 1, 4);
  prefix.writeUInt32BE(text.length, 8);
  return Buffer.concat([prefix, text]);
}

function encodeDestination(destination: CanonicalDestination): Buffer {
  const host = Buffer.from(destination.host, 'latin1');
  const prefix = Buffer.alloc(DESTINATION_PREFIX_BYTES);
  prefix.writeUInt8(DESTINATION_KIND, 0);
  prefix.writeUInt8(TCP, 1);
  prefix.writeUInt16BE(destination.port, 2);
  prefix.writeUInt8(
    (destination.requireTlsSni ? REQUIRE_TLS_SNI : 0) |
      (destination.allowPrivateAddresses ? ALLOW_PRIVATE_ADDRESSES : 0),
    4,
  );
  prefix.writeUInt16BE(host.length, 6);
  return Buffer.concat([prefix, host]);
}
