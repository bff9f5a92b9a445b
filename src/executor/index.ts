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
  type ResolvedRule,
  type RootMode,
  type RuleRoot,
  readOnly,
  readWrite,
  type Scope,
} from '../policy/index.js';
export type { Availability, BackendReport } from './backend.js';
export { type BackendCapability, CAPABILITIES } from './capabilities.js';
export { type CapacityCheck, capacityOf, type PoolSize } from './capacity.js';
export type { CgroupFacts } from './cgroup/own.js';
export { type CgroupSupport, probeCgroups } from './cgroup/support.js';
export type { CodeModeBackend, Isolation, RefusedBackend } from './code-mode.js';
export { codeRunnerPath } from './code-runner-path.js';
export type { IsolatedResult, NetworkReceipt, StopOptions } from './command/execution.js';
export type { IoMode, IsolatedOptions } from './command/options.js';
export { type IsolatedExecution, spawnIsolated } from './command/spawn-isolated.js';
export {
  CgroupFailed,
  InvalidOptionError,
  LauncherLost,
  type MissingCapability,
  SandboxUnavailable,
  SpawnFailed,
} from './errors.js';
export { Executor, type ExecutorOptions, type ExecutorStats } from './executor.js';
export type { CallVerdict, KernelSurvey } from './kernel-survey.js';
export type { Ceilings } from './launcher.js';
export { type MachineFacts, machineFacts } from './machine.js';
export { probeBackends } from './probe.js';
export { PROCESS_LIMIT_RANGES, type ProcessLimits } from './process-limits.js';
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
export { type PolicyPlaces, resolvePolicy } from './resolve-policy.js';
export type { Sandbox, SandboxEnd, SandboxListener } from './sandbox.js';
export type { ReceiptContext } from './sandbox-receipt.js';
