/**
 * Where a mediated network lets a command connect: names in their canonical form, destinations of equal targets merged, and what
 * one request gets. Must not know how a name is resolved, or by whom.
 */
import { isIPv4 } from 'node:net';
import { shortText } from './describe.js';
import { compareBytes } from './paths.js';
import type { CanonicalDestination, CanonicalNetwork, PolicyDestination } from './policy.js';

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** What the resolvers of C libraries may take for a number, in any base. */
const NUMERIC_LABEL = /^(?:[0-9]+|0x[0-9a-f]*)$/;

/** Why `host`, which is in lower case, is neither a DNS name nor an IPv4 address, and what to write; undefined if it is one. */
export function hostProblem(host: string): string | undefined {
  if (host.includes(':'))
    return 'there are no IPv6 addresses and no ports in host; write a name or an IPv4 address';
  if (host.includes('*')) return 'there are no wildcards; write each name';
  if (host === '' || host.length > MAX_HOST_LENGTH) return `a name has 1 to ${MAX_HOST_LENGTH} characters`;
  if (host.endsWith('.')) return 'remove the dot at its end';
  const labels = host.split('.');
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong !== undefined) {
    return `its label ${shortText(wrong)} is not 1 to 63 ASCII letters, digits and inner hyphens`;
  }
  if (NUMERIC_LABEL.test(labels.at(-1) ?? '') && !isIPv4(host)) {
    return 'a name that ends with a number is an IPv4 address, as four numbers from 0 to 255 without leading zeros';
  }
  return undefined;
}

/** In lower case: of ASCII letters alone, as other characters may become ASCII letters by it. */
export function lowerCaseHost(host: string): string {
  return host.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** With defaults filled in and duplicates merged, in canonical order. Each is one that hostProblem() has nothing against. */
export function canonicalDestinations(destinations: readonly PolicyDestination[]): CanonicalDestination[] {
  const byTarget = new Map<string, CanonicalDestination>();
  for (const { protocol, host, port, requireTlsSni = false, allowPrivateAddresses = false } of destinations) {
    const name = lowerCaseHost(host);
    const target = `${protocol} ${name} ${port}`;
    const other = byTarget.get(target);
    // The stricter of two: a merge must not allow what one of them refuses.
    byTarget.set(target, {
      protocol,
      host: name,
      port,
      requireTlsSni: requireTlsSni || (other?.requireTlsSni ?? false),
      allowPrivateAddresses: allowPrivateAddresses && (other?.allowPrivateAddresses ?? true),
    });
  }
  return [...byTarget.values()].sort(
    (one, other) => compareBytes(one.host, other.host) || one.port - other.port,
  );
}

/** One connection that a command asks for. */
export interface ConnectionRequest {
  protocol: 'tcp';
  /** In canonical form: lower case, no dot at its end. */
  host: string;
  port: number;
  /** The TLS server name that the client presented, in lower case; undefined if it presented none. */
  serverName?: string | undefined;
  /** True if at least one address of the host is not globally routable. */
  privateAddress: boolean;
}

/** Why a request is refused. Of several reasons the first of this order is given. */
export type RequestRefusal =
  | 'network-none'
  | 'malformed-name'
  | 'no-destination'
  | 'sni-absent'
  | 'sni-mismatch'
  | 'private-address';

/** What a request gets: `direct` admits everything; `mediated` what one destination admits under its own flags. */
export function admits(
  network: CanonicalNetwork,
  request: ConnectionRequest,
): { admitted: true } | { admitted: false; reason: RequestRefusal } {
  if (network.mode === 'direct') return { admitted: true };
  if (network.mode === 'none') return { admitted: false, reason: 'network-none' };
  if (hostProblem(request.host) !== undefined) return { admitted: false, reason: 'malformed-name' };
  const refusals = network.allow
    .filter(
      ({ protocol, host, port }) =>
        protocol === request.protocol && host === request.host && port === request.port,
    )
    .map((destination) => refusalOf(destination, request));
  if (refusals.includes(undefined)) return { admitted: true };
  const reason = IN_ORDER.find((refusal) => refusals.includes(refusal)) ?? 'no-destination';
  return { admitted: false, reason };
}

const IN_ORDER = ['sni-absent', 'sni-mismatch', 'private-address'] as const;

function refusalOf(
  destination: CanonicalDestination,
  { host, serverName, privateAddress }: ConnectionRequest,
): (typeof IN_ORDER)[number] | undefined {
  if (destination.requireTlsSni && serverName === undefined) return 'sni-absent';
  if (destination.requireTlsSni && serverName !== host) return 'sni-mismatch';
  return privateAddress && !destination.allowPrivateAddresses ? 'private-address' : undefined;
}
