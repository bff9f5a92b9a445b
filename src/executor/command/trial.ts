/**
 * Whether a backend can run commands on this machine, found by running one, which ends at once, in a root that has one of each
 * operation. Known for as long as the process lives, if it could; a refusal is tried again.
 */

import { readOnly } from '../../policy/index.js';
import { executablePath } from '../addon.js';
import type { MissingCapability } from '../errors.js';
import { SandboxUnavailable } from '../errors.js';
import { maySignal } from '../identity.js';
import { missingAddon } from '../missing-addon.js';
import { CANNOT_SIGNAL } from '../remedies.js';
import type { CommandBackend } from './backend.js';
import { Execution } from './execution.js';
import { checkIsolatedOptions } from './options.js';
import { planCommand, resolvePlan } from './plan.js';

/** The longest a trial may take, milliseconds. */
const TRIAL_MS = 10_000;

/** Needs no file of the host but itself. */
const OWN_PROGRAM = () => [executablePath('wardenpool-launcher'), 'probe'] as const;

/** `program`: one that does nothing, by an absolute path. Default: the launcher's own binary. */
export function trial(
  backend: () => CommandBackend,
  program: () => readonly [string, ...string[]] = OWN_PROGRAM,
): () => Promise<readonly MissingCapability[]> {
  let known: Promise<readonly MissingCapability[]> | undefined;
  return () => {
    known ??= tryBackend(backend(), program).then((missing) => {
      if (missing.length > 0) known = undefined;
      return missing;
    });
    return known;
  };
}

/** Never rejects. */
export async function tryBackend(
  backend: CommandBackend,
  program: () => readonly [string, ...string[]] = OWN_PROGRAM,
): Promise<readonly MissingCapability[]> {
  const fail = (reason: string): MissingCapability[] => [
    {
      capability: 'lifecycle',
      reason: `a trial command ${reason}`,
      remedy: 'run "wardenpool doctor", and look for limits on processes, descriptors and namespaces',
      backend: backend.name,
    },
  ];
  const addon = missingAddon();
  if (addon !== undefined) return [{ ...addon, backend: backend.name }];
  try {
    const options = checkIsolatedOptions({ policy: readOnly(), limits: { wallMs: TRIAL_MS } });
    const plan = resolvePlan(options);
    const command = planCommand(program(), plan, options, '');
    const execution = new Execution(options, plan.policy.digest);
    if (!maySignal(command.identity)) return [{ ...CANNOT_SIGNAL, backend: backend.name }];
    execution.start(command, backend, []);
    execution.protocol.resume();
    const { returncode, signal } = await execution.wait();
    return returncode === 0 ? [] : fail(`ended with ${signal ?? `code ${returncode}`}`);
  } catch (error) {
    if (error instanceof SandboxUnavailable)
      return error.missing.map((each) => ({ ...each, backend: backend.name }));
    return fail(`failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
