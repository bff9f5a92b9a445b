/**
 * A policy of the right shape to its canonical form, bytes and digest. What a path or a host must look like is checked here.
 * Must not know where the policy came from.
 */

import { isIPv4 } from 'node:net';
import { memberPath, shortText } from './describe.js';
import { canonicalDestinations, hostProblem, lowerCaseHost } from './destinations.js';
import { PolicyError } from './errors.js';
import { digestOf, encodeMir } from './mir-encode.js';
import { joinPath, splitPath } from './paths.js';
import type {
  CanonicalNetwork,
  CanonicalRule,
  CompiledPolicy,
  Policy,
  PolicyDestination,
  PolicyNetwork,
  PolicyPath,
  RuleRoot,
} from './policy.js';
import { canonicalRules } from './rules.js';

/** `policy` is the caller's to give: it is frozen. Throws PolicyError, which names the member. */
export function canonicalPolicy(policy: Policy): CompiledPolicy {
  const canonical = {
    rules: canonicalRules(policy.filesystem.rules.map(canonicalRule)),
    network: canonicalNetwork(policy.network),
    rootMode: policy.root.mode,
    treeConfinement: policy.process.treeConfinement === 'required',
  };
  const bytes = encodeMir(canonical);
  freeze(policy);
  freeze(canonical);
  // The bytes themselves cannot be frozen: no engine freezes a typed array.
  return Object.freeze({ policy, ...canonical, bytes, digest: digestOf(bytes) });
}

function canonicalRule(
  { access, path, scope = 'tree', missing = 'error' }: Policy['filesystem']['rules'][number],
  index: number,
): CanonicalRule {
  const place = ['filesystem', 'rules', index, 'path'];
  return { access, ...canonicalPath(path, place), scope, missing };
}

function canonicalPath(path: PolicyPath, place: readonly PropertyKey[]): { root: RuleRoot; path: string } {
  if ('special' in path) return { root: path.special, path: '' };
  if ('root' in path) {
    const relative = path.relative ?? '';
    const member = [...place, 'relative'];
    if (relative.startsWith('/')) {
      refuse(
        member,
        relative,
        'a relative path does not begin with a slash; write {"absolute": …} for a path of the host',
      );
    }
    return { root: path.root, path: partsOf(relative, member).join('/') };
  }
  const member = [...place, 'absolute'];
  if (!path.absolute.startsWith('/')) {
    refuse(
      member,
      path.absolute,
      'an absolute path begins with a slash; write {"root": "workspace", "relative": …} for one of the workspace',
    );
  }
  return { root: 'host', path: joinPath('/', partsOf(path.absolute, member)) };
}

function partsOf(path: string, member: readonly PropertyKey[]): string[] {
  const split = splitPath(path);
  return 'parts' in split ? split.parts : refuse(member, path, split.problem);
}

function canonicalNetwork(network: PolicyNetwork): CanonicalNetwork {
  if (network.mode !== 'mediated') return { mode: network.mode };
  network.allow.forEach(checkDestination);
  return { mode: network.mode, allow: canonicalDestinations(network.allow) };
}

function checkDestination({ host, requireTlsSni }: PolicyDestination, index: number): void {
  const place = ['network', 'allow', index];
  const problem = hostProblem(lowerCaseHost(host));
  if (problem !== undefined) refuse([...place, 'host'], host, problem);
  if (requireTlsSni === true && isIPv4(host)) {
    refuse(
      [...place, 'requireTlsSni'],
      true,
      `no client presents an IPv4 address as a TLS server name; remove it, or name the host`,
    );
  }
}

function refuse(member: readonly PropertyKey[], value: string | true, problem: string): never {
  const where = memberPath(member);
  const written = value === true ? 'true' : shortText(value);
  throw new PolicyError(`${where} is ${written}: ${problem}`, where);
}

function freeze(value: object): void {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) freeze(member);
  }
  Object.freeze(value);
}
