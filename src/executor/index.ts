/** The executor's public face, `wardenpool/executor`: sandboxes, receipts, and what this machine can do. */
export type { Availability, BackendReport } from './backend.js';
export { type BackendCapability, CAPABILITIES } from './capabilities.js';
export type { CodeModeBackend, Isolation, RefusedBackend } from './code-mode.js';
export { type CgroupSupport, probeCgroups } from './cgroup-support.js';
export {
  CgroupFailed,
  InvalidOptionError,
  LauncherLost,
  type MissingCapability,
  SandboxUnavailable,
  SpawnFailed,
} from './errors.js';
export { Executor, type ExecutorOptions, type ExecutorStats } from './executor.js';
export type { Ceilings } from './launcher.js';
export { type MachineFacts, machineFacts } from './machine.js';
export { probeBackends } from './probe.js';
export type { ProcessLimits } from './process-limits.js';
export type {
  BackendName,
  LimitEnforcer,
  NamespaceKind,
  NamespaceName,
  Receipt,
  SandboxOutcome,
  StopReason,
} from './receipt.js';
export type { ReceiptContext, Sandbox, SandboxEnd, SandboxListener } from './sandbox.js';
