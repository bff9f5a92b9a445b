/**
 * What a policy is: as it is written, in its canonical form, and resolved on one machine. Types and bounds alone. Must not
 * know how any of them is made.
 */

/**
 * `read` and `write` grant (`write` grants reading too); `deny` takes everything away, `deny-write` writing alone. What is
 * taken away stays away, however specific a grant is.
 */
export type Access = 'read' | 'write' | 'deny' | 'deny-write';

/** `tree`: the path and everything below it. `exact`: the path itself, and nothing below it. */
export type Scope = 'tree' | 'exact';

/** What one path has under a set of rules. */
export type Permission = 'none' | 'read' | 'read-write';

/** Where a rule's path begins. */
export type RuleRoot = 'minimal-runtime' | 'workspace' | 'temp' | 'host';

/** `minimal-runtime`: the programs and libraries that nearly every program needs. `relative`: default the root itself. */
export type PolicyPath =
  | { readonly special: 'minimal-runtime' }
  | { readonly root: 'workspace' | 'temp'; readonly relative?: string }
  | { readonly absolute: string };

export interface PolicyRule {
  readonly access: Access;
  readonly path: PolicyPath;
  /** Default: tree. */
  readonly scope?: Scope;
  /** What becomes of a grant whose target does not exist. Default: error. Deny rules are kept in any case. */
  readonly missing?: 'error' | 'skip';
}

export interface PolicyDestination {
  readonly protocol: 'tcp';
  /** A DNS name of ASCII letters, digits and hyphens, or an IPv4 address as four decimal numbers. Case does not matter. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
  /** The client must present this name as its TLS server name. Default: false. Not for an IPv4 address. */
  readonly requireTlsSni?: boolean;
  /** The name may resolve to an address that is not globally routable. Default: false. */
  readonly allowPrivateAddresses?: boolean;
}

/** `mediated`: the destinations of `allow`, 1 to 1,024 of them, and no others. */
export type PolicyNetwork =
  | { readonly mode: 'none' }
  | { readonly mode: 'direct' }
  | { readonly mode: 'mediated'; readonly allow: readonly PolicyDestination[] };

/** What becomes of writes outside of every grant: refused, or made to a layer that is thrown away. */
export type RootMode = 'read-only' | 'ephemeral-write';

/** A policy as it is written: its JSON form. Nothing has a default but where it says so. */
export interface Policy {
  /** For editors; it has no meaning. */
  readonly $schema?: string;
  readonly formatVersion: 3;
  /** At most 4,096 rules, in any order. */
  readonly filesystem: { readonly default: 'deny'; readonly rules: readonly PolicyRule[] };
  readonly network: PolicyNetwork;
  readonly root: { readonly mode: RootMode };
  /** Whether every process that the command starts must end with it. */
  readonly process: { readonly treeConfinement: 'required' | 'disabled' };
}

/** A rule with its defaults filled in and its path normalised. */
export interface CanonicalRule {
  readonly access: Access;
  readonly root: RuleRoot;
  /** Relative to the root, and empty for the root itself; of the root `host`, absolute. */
  readonly path: string;
  readonly scope: Scope;
  readonly missing: 'error' | 'skip';
}

/** A destination with its defaults filled in and its name in lower case. */
export type CanonicalDestination = Required<PolicyDestination>;

export type CanonicalNetwork =
  | { readonly mode: 'none' }
  | { readonly mode: 'direct' }
  | { readonly mode: 'mediated'; readonly allow: readonly CanonicalDestination[] };

/** What policies that mean the same have in common, whatever the order in which they were written. */
export interface CanonicalPolicy {
  /** In canonical order; no target is granted or denied twice. */
  readonly rules: readonly CanonicalRule[];
  readonly network: CanonicalNetwork;
  readonly rootMode: RootMode;
  /** True: required. */
  readonly treeConfinement: boolean;
}

export interface CompiledPolicy extends CanonicalPolicy {
  /** As it was written; a frozen copy. */
  readonly policy: Policy;
  /** The binary form, MIR v3. */
  readonly bytes: Buffer;
  /** SHA-256 of `bytes`, 64 lower-case hexadecimal digits: the identity of the policy. */
  readonly digest: string;
}

/** What a policy can be given as: itself, its JSON text, the UTF-8 bytes of that, or compiled. */
export type PolicySource = Policy | string | Uint8Array | CompiledPolicy;

/** A rule on one machine. */
export interface ResolvedRule {
  readonly access: Access;
  readonly scope: Scope;
  /** Absolute, without `.`, `..`, links or a slash at its end. */
  readonly path: string;
  readonly root: RuleRoot;
  /** True for a deny or deny-write whose target does not exist: it must not come into being either. */
  readonly protectCreate: boolean;
}

/** Of a policy's JSON text, and of its binary form: bytes. */
export const MAX_POLICY_BYTES = 1024 * 1024;
/** Of a policy's JSON text: the outermost object is level 1. */
export const MAX_NESTING = 32;
export const MAX_RULES = 4096;
export const MAX_DESTINATIONS = 1024;
/** Of one path, in UTF-8. */
export const MAX_PATH_BYTES = 4096;
