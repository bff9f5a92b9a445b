/** The backends that run Code Mode, what each has, and what a pool needs. Must not know how one is started. */
import type { NativeNamespaces } from './addon.js';
import type { BackendCapability } from './capabilities.js';
import type { MissingCapability } from './errors.js';
import type { BackendName } from './receipt.js';

export type Isolation = 'default' | 'strict';

export interface CodeModeBackend {
  readonly name: Extract<BackendName, 'namespaces' | 'seccomp'>;
  /** What its sandboxes have, where the machine lets it start one. */
  readonly offers: readonly BackendCapability[];
  /** What a launcher is asked for. */
  namespaces(isolation: Isolation): keyof typeof NativeNamespaces;
}

const RUNNER_CONFINED: readonly BackendCapability[] = [
  'lifecycle',
  'fs-deny',
  'network-none',
  'process-tree',
];

/** In the order of `auto`. */
export const CODE_MODE_BACKENDS: readonly CodeModeBackend[] = [
  {
    name: 'namespaces',
    offers: [...RUNNER_CONFINED, 'private-namespaces'],
    namespaces: (isolation) => (isolation === 'strict' ? 'own' : 'shared'),
  },
  // Our own runner cannot open, connect or clone anything once its filter is in force; of other programs this is not true.
  { name: 'seccomp', offers: RUNNER_CONFINED, namespaces: () => 'none' },
];

/** A backend that was wanted, or comes first, and what it lacks. */
export interface RefusedBackend {
  backend: BackendName;
  missing: MissingCapability[];
}

/** What the sandboxes of a pool need and this backend never has. */
export function neverHas(backend: CodeModeBackend, isolation: Isolation): MissingCapability[] {
  const needed =
    isolation === 'strict' ? [...RUNNER_CONFINED, 'private-namespaces' as const] : RUNNER_CONFINED;
  return needed
    .filter((capability) => !backend.offers.includes(capability))
    .map((capability) => ({
      capability,
      reason: `isolation: 'strict' needs it, and the ${backend.name} backend never has it`,
      remedy: "use isolation: 'default'",
      backend: backend.name,
    }));
}

const NO_CODE_MODE: Partial<Record<BackendName, string>> = {
  bubblewrap: 'this version has no pools on bubblewrap',
  seatbelt: 'this version has no pools on seatbelt',
  posix: 'posix confines nothing, and a pool needs confinement',
};

/** The backend of this name, or all in the order of `auto`; or why there are no pools on it. */
export function codeModeBackends(name: BackendName | 'auto'): readonly CodeModeBackend[] | MissingCapability {
  const found = CODE_MODE_BACKENDS.filter((backend) => name === 'auto' || backend.name === name);
  if (found.length > 0) return found;
  return {
    capability: 'lifecycle',
    reason: NO_CODE_MODE[name as BackendName] ?? `there is no backend ${name}`,
    remedy: "use backend: 'auto', 'namespaces' or 'seccomp'",
  };
}
