/**
 * From a command and its options to what is to be done on this machine: rules resolved, root laid out, program found. It looks at the
 * disk and changes nothing. Must not know how a backend does it.
 */
import { realpathSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import {
  type CompiledPolicy,
  compilePolicy,
  evaluate,
  neededCapabilities,
  type ResolvedRule,
} from '../../policy/index.js';
import type { BackendCapability } from '../capabilities.js';
import { InvalidOptionError, type MissingCapability, SpawnFailed } from '../errors.js';
import { sandboxIdentity } from '../identity.js';
import { MINIMAL_RUNTIME } from '../minimal-runtime.js';
import type { CheckedLimits } from '../process-limits.js';
import { resolvePolicy } from '../resolve-policy.js';
import type { Command } from './backend.js';
import { findExecutable } from './executable.js';
import type { Operation } from './operations.js';
import type { CheckedOptions } from './options.js';
import type { ResourceLimits, Text } from './plan-encoding.js';
import { buildRoot, TEMP_PLACE, WORKSPACE, WORKSPACE_PLACE } from './root.js';
import { runtimeOperations } from './runtime.js';

/** A policy on this machine. */
export interface ResolvedPlan {
  policy: CompiledPolicy;
  /** Real path of the workspace on the host; undefined for an empty one, made for this command. */
  workspace: string | undefined;
  rules: readonly ResolvedRule[];
  operations: Operation[];
  needed: readonly BackendCapability[];
  /** What no backend could enforce. */
  missing: readonly MissingCapability[];
}

/** Throws `PolicyError`, `PolicyConflictError`, or `InvalidOptionError` for a workspace that is none. */
export function resolvePlan({ policy: source, workspace, limits }: CheckedOptions): ResolvedPlan {
  const policy = compilePolicy(source);
  const place = workspace === undefined ? undefined : workspaceDirectory(workspace);
  const rules = resolvePolicy(policy, {
    workspace: place ?? WORKSPACE_PLACE,
    hasWorkspace: place !== undefined,
    temp: TEMP_PLACE,
    minimalRuntime: MINIMAL_RUNTIME,
  });
  const { tempBytes, tempInodes } = limits;
  const { operations, missing } = buildRoot({ rules, workspace: place, tempBytes, tempInodes });
  if (rules.some(({ root }) => root === 'minimal-runtime')) {
    const granted = operations.flatMap((each) =>
      each.kind === 'link' || (each.kind === 'grant' && each.source === each.target) ? [each.target] : [],
    );
    const hasTemp = operations.some(({ kind, target }) => kind === 'temporary' && target === '/tmp');
    const hasNetwork = policy.network.mode === 'direct';
    operations.push(...runtimeOperations(granted, { hasTemp, hasNetwork }));
  }
  const needed = new Set<BackendCapability>(['commands', ...neededCapabilities(policy, rules)]);
  // A place that another command holds at this moment is there, as far as rules can see.
  if (operations.some(({ kind }) => kind === 'hold-place')) needed.add('fs-protect-create');
  return { policy, workspace: place, rules, operations, missing, needed: [...needed] };
}

function workspaceDirectory(path: string): string {
  let real: string;
  try {
    real = realpathSync.native(path);
    if (!statSync(path).isDirectory())
      throw new InvalidOptionError(`the workspace ${JSON.stringify(path)} is not a directory`);
  } catch (error) {
    if (error instanceof InvalidOptionError) throw error;
    throw new InvalidOptionError(
      `the workspace ${JSON.stringify(path)} cannot be used: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
  if (real.includes('\ufffd') || real === '/')
    throw new InvalidOptionError(
      real === '/'
        ? 'the workspace is the root of the host: name a directory in it, and grant others by absolute rules'
        : `the workspace ${JSON.stringify(path)} has a name that is no UTF-8: policies cannot name it; rename it`,
    );
  return real;
}

/** Finds the program, and grants it if no rule does. Throws `SpawnFailed`. */
export function planCommand(
  [program, ...rest]: readonly [Text, ...Text[]],
  plan: ResolvedPlan,
  options: CheckedOptions,
  searchPath: string,
): Command {
  const identity = sandboxIdentity();
  const operations = [...plan.operations];
  const executable = findExecutable(textOf(program), operations, identity, searchPath);
  if (executable.isHidden) {
    // By its real path, whatever links led there: what a rule denies is not granted for being a command.
    if (evaluate(plan.rules, executable.path).reason === 'deny-rule')
      throw new SpawnFailed(`the policy denies the command ${executable.path}`, 0, constants.errno.EACCES, {
        failure: 'not-executable',
      });
    operations.push({ kind: 'grant', target: executable.path, source: executable.path, writable: false });
  }
  const hasWorkspace = operations.some(({ target }) => target === WORKSPACE);
  return {
    path: executable.path,
    inside: executable.inside,
    link: executable.link,
    arguments: [program, ...rest],
    environment: options.environment,
    directory: hasWorkspace ? WORKSPACE : '/',
    workspace: plan.workspace,
    operations,
    network: plan.policy.network.mode === 'direct' ? 'direct' : 'none',
    writableRoot: plan.policy.rootMode === 'ephemeral-write',
    limits: {},
    identity,
    options,
  };
}

/** A program's path must be text: the file system is asked for it by name. */
function textOf(program: Text): string {
  if (typeof program === 'string') return program;
  const text = Buffer.from(program).toString();
  if (!Buffer.from(text).equals(Buffer.from(program)))
    throw new SpawnFailed(
      `the command ${JSON.stringify(text)} has a name that is no UTF-8: link to it by another name`,
      0,
      constants.errno.ENOENT,
      { failure: 'not-found' },
    );
  return text;
}

/** What the kernel limits for each process. `byCgroup`: what it limits for all together already. */
export function resourceLimits(
  limits: CheckedLimits,
  byCgroup: { readonly memoryBytes?: unknown; readonly processes?: unknown },
): ResourceLimits {
  const { cpuMs, memoryBytes, processes, fileBytes, openFiles } = limits;
  return {
    ...(cpuMs !== undefined && { cpuSeconds: Math.ceil(cpuMs / 1000) }),
    ...(fileBytes !== undefined && { fileBytes }),
    ...(openFiles !== undefined && { openFiles }),
    // The launcher is one of them.
    ...(processes !== undefined && byCgroup.processes === undefined && { processes: processes + 1 }),
    ...(memoryBytes !== undefined && byCgroup.memoryBytes === undefined && { dataBytes: memoryBytes }),
  };
}
