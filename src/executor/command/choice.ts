/** Which backend runs a command, and what each lacks that does not. Must not know any of them. */
import type { MissingCapability } from '../errors.js';
import { SandboxUnavailable } from '../errors.js';
import type { ProcessLimits } from '../process-limits.js';
import type { Receipt } from '../receipt.js';
import type { CommandBackend } from './backend.js';
import { BACKENDS_FOR_COMMANDS } from './backends.js';
import type { CheckedOptions } from './options.js';
import type { ResolvedPlan } from './plan.js';

export interface Choice {
  backend: CommandBackend;
  /** Those that come before it in the order of `auto`, and why not. */
  refused: NonNullable<Receipt['backend']['refused']>;
}

/**
 * The named backend, or the first that has everything which the plan needs. Rejects with `SandboxUnavailable`: all that is missing,
 * of each backend that was considered.
 */
export async function chooseBackend(
  plan: ResolvedPlan,
  options: Pick<CheckedOptions, 'backend' | 'limitsGiven'>,
): Promise<Choice> {
  const { backend: wanted, limitsGiven } = options;
  if (wanted === 'seccomp') throw new SandboxUnavailable([ONLY_OUR_RUNNER]);
  const refused: Choice['refused'] = [];
  const allMissing: MissingCapability[] = [];
  for (const backend of BACKENDS_FOR_COMMANDS) {
    if (wanted === 'auto' ? !backend.isAutomatic : wanted !== backend.name) continue;
    const missing = [
      ...(await backend.lacks()),
      ...neverHas(backend, plan),
      ...cannotLimit(backend, limitsGiven),
    ];
    if (missing.length === 0 && plan.missing.length === 0) return { backend, refused };
    refused.push({
      name: backend.name,
      reason: missing.map(({ capability, reason }) => `${capability}: ${reason}`).join('; '),
    });
    allMissing.push(...missing);
  }
  throw new SandboxUnavailable([...allMissing, ...plan.missing]);
}

const ONLY_OUR_RUNNER: MissingCapability = {
  capability: 'commands',
  reason: 'its filter is for wardenpool’s own runner: no other program could run under it',
  remedy: 'use namespaces or bubblewrap, or leave the choice to "auto"',
  backend: 'seccomp',
};

function neverHas(backend: CommandBackend, { needed }: ResolvedPlan): MissingCapability[] {
  return needed
    .filter((capability) => !backend.offers.has(capability))
    .map((capability) => ({
      capability,
      reason: `needed for the policy, and never there in the ${backend.name} backend`,
      remedy: REMEDIES[capability] ?? 'use another backend, or a policy that does not need it',
      backend: backend.name,
    }));
}

function cannotLimit(backend: CommandBackend, given: readonly (keyof ProcessLimits)[]): MissingCapability[] {
  return given
    .filter((name) => backend.cannotLimit.has(name))
    .map((name) => ({
      capability: `limits.${name}`,
      reason: `it was given, and the ${backend.name} backend cannot enforce it`,
      remedy: 'use another backend, or leave the limit out',
      backend: backend.name,
    }));
}

const REMEDIES: Partial<Record<string, string>> = {
  'network-mediated': 'no backend mediates networks yet: use "none" or "direct"',
};
