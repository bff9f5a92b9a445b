/** The arguments of resolvePolicy(): their documentation and their checks. Must not know the disk. */
import { z } from 'zod';
import { PolicyError } from '../policy/errors.js';
import type { CanonicalPolicy, CanonicalRule } from '../policy/policy.js';
import { ACCESSES, MISSING, ROOTS, SCOPES } from '../policy/rules.js';
import { checkOptions } from './check-options.js';

/** Where the roots of rules are. All absolute. */
export interface PolicyPlaces {
  /** A directory that exists; may be a link to one. */
  readonly workspace: string;
  /** False: there is no such directory, and the workspace is like a temp, made empty for each execution. Default: true. */
  readonly hasWorkspace?: boolean | undefined;
  /**
   * Where the command's private temp is thought to be among the paths of the host. Never looked up, as it is made fresh for
   * each execution: only itself exists in it. It should lie where no other rule reaches, as the command's temp is no place of
   * the host.
   */
  readonly temp: string;
  /** Each is followed to its real path; those that do not exist are left out. */
  readonly minimalRuntime: readonly string[];
}

const aPath = 'must be an absolute path of the host';
const placesSchema = z.strictObject({
  workspace: z.string(aPath),
  hasWorkspace: z.boolean('must be true or false').optional(),
  temp: z.string(aPath),
  minimalRuntime: z.array(
    z.string(aPath),
    "must be an array of absolute paths, as in ['/usr', '/bin', '/lib']",
  ),
});
const PLACES = { owner: 'resolvePolicy()', known: Object.keys(placesSchema.shape) };

/** Throws `InvalidOptionError`. Whether a path is one is found when it is looked up. */
export function checkPlaces(places: unknown): PolicyPlaces {
  return checkOptions(placesSchema, places, PLACES);
}

/** The rules of a compiled policy, copied. Throws PolicyError. */
export function checkRules(policy: unknown): readonly CanonicalRule[] {
  const advice = 'pass what compilePolicy() or decodePolicy() gives';
  try {
    const rules = (policy as Partial<CanonicalPolicy> | undefined)?.rules;
    if (!Array.isArray(rules)) throw new PolicyError(`resolvePolicy() needs a compiled policy: ${advice}`);
    return rules.map((rule: CanonicalRule, index) => {
      const { access, root, path, scope, missing } = rule ?? {};
      const isRule =
        ACCESSES.includes(access) &&
        ROOTS.includes(root) &&
        SCOPES.includes(scope) &&
        MISSING.includes(missing) &&
        typeof path === 'string';
      if (!isRule) throw new PolicyError(`rule ${index} of the policy is none of a compiled one: ${advice}`);
      return { access, root, path, scope, missing };
    });
  } catch (cause) {
    if (cause instanceof PolicyError) throw cause;
    throw new PolicyError(`the policy cannot be read: ${advice}`, undefined, 'ERR_POLICY_INVALID', { cause });
  }
}
