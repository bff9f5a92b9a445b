/**
 * The executor's public face, `wardenpool/executor`: policies, sandboxes, receipts, and what this machine can do. For users: our
 * own workers import what they need, as the compiler of policies brings zod, which each thread would load for itself.
 */

export {
  type Access,
  type CanonicalDestination,
  type CanonicalNetwork,
  type CanonicalPolicy,
  type CanonicalRule,
  type Capability,
  type CompiledPolicy,
  compilePolicy,
  decodePolicy,
  type Evaluation,
  evaluate,
  type Permission,
  type PermissionReason,
  type Policy,
  PolicyConflictError,
  type PolicyDestination,
  PolicyError,
  type PolicyErrorCode,
  type PolicyNetwork,
  type PolicyPath,
  type PolicyRule,
  type PolicySource,
  type ResolvedRule,
  type RootMode,
  type RuleRoot,
  readOnly,
  readWrite,
  type Scope,
} from '../policy/index.js';
export type { Availability, BackendReport } from './backend.js';
export type { BackendCapability } from './capabilities.js';
export { type CgroupSupport, probeCgroups } from './cgroup/support.js';
export { codeRunnerPath } from './code-runner-path.js';
export type { IsolatedResult, NetworkReceipt } from './command/execution.js';
export type { IoMode, IsolatedOptions, StopOptions } from './command/options.js';
export { type IsolatedExecution, spawnIsolated } from './command/spawn-isolated.js';
export {
  InvalidOptionError,
  LauncherLost,
  type MissingCapability,
  SandboxUnavailable,
  SpawnFailed,
  type SpawnFailure,
} from './errors.js';
export { probeBackends } from './probe.js';
export type { ProcessLimits } from './process-limits.js';
export type {
  BackendName,
  CgroupUsage,
  LimitEnforcer,
  NamespaceKind,
  NamespaceName,
  ProcessUsage,
  Receipt,
  SandboxOutcome,
  StopReason,
} from './receipt.js';
export type { PolicyPlaces } from './resolve-arguments.js';
export { resolvePolicy } from './resolve-policy.js';
