/** Policies: what may be touched, as data and pure functions. Must not know anything that runs. */
export { type Capability, neededCapabilities } from './capabilities.js';
export { compilePolicy, decodePolicy } from './compile.js';
export { type Conflict, decidingRules, findConflict } from './conflict.js';
export { admits, type ConnectionRequest, type RequestRefusal } from './destinations.js';
export { PolicyConflictError, PolicyError, type PolicyErrorCode } from './errors.js';
export { type Evaluation, evaluate, type PermissionReason } from './evaluate.js';
export type {
  Access,
  CanonicalDestination,
  CanonicalNetwork,
  CanonicalPolicy,
  CanonicalRule,
  CompiledPolicy,
  Permission,
  Policy,
  PolicyDestination,
  PolicyNetwork,
  PolicyPath,
  PolicyRule,
  PolicySource,
  ResolvedRule,
  RootMode,
  RuleRoot,
  Scope,
} from './policy.js';
export { readOnly, readWrite } from './presets.js';
