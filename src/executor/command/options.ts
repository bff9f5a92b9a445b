/** The options of `spawnIsolated`, checked before anything is done. Must not know what becomes of them. */
import { types } from 'node:util';
import { z } from 'zod';
import { describeThrown, describeValue } from '../../options/option-check.js';
import { textMembers } from '../../options/text-members.js';
import type { PolicySource } from '../../policy/index.js';
import { checkOptions } from '../check-options.js';
import { InvalidOptionError } from '../errors.js';
import {
  type CheckedLimits,
  LIMIT_OPTION_NAMES,
  limitsSchema,
  namesOfGiven,
  type ProcessLimits,
  withDefaults,
} from '../process-limits.js';
import type { BackendName } from '../receipt.js';
import { DEFAULT_STOP_TIMES, type StopTimes } from '../stop-ladder.js';
import type { Text } from './plan-encoding.js';

/**
 * `isolated-duplex`: the command's descriptor 3 is `protocol`; its stdout and stderr are `stderr`; its stdin is empty. `inherit`: it has
 * our stdin, stdout and stderr, and no descriptor 3.
 */
export type IoMode = 'isolated-duplex' | 'inherit';

export interface IsolatedOptions {
  /**
   * What the command may touch, as `compilePolicy` takes it, or compiled. A policy is authority: never take one from generated code or
   * from an untrusted repository.
   */
  policy: PolicySource;
  /** Names the execution in its receipt. Default: a UUIDv7. */
  invocationId?: string | undefined;
  /** Default: auto, the first that has every capability which the policy needs. */
  backend?: BackendName | 'auto' | undefined;
  /** A directory of the host; inside it is `/workspace`, and where the command starts. Default: an empty one, gone at the end. */
  workspace?: string | undefined;
  /** The command's environment, the whole of it. Default: empty. */
  environment?: Readonly<Record<string, string>> | undefined;
  /**
   * For the backend's own tools, `bwrap` for one: added to our environment, or all they get where we are root and they are not, and
   * with a private TMPDIR besides. The command never sees it. Our own launcher has an empty environment. Default: none.
   */
  launcherEnvironment?: Readonly<Record<string, string>> | undefined;
  /**
   * Descriptors of ours, 4 or higher, that the command has at the same numbers; at most 200. They must be open until it has started, and
   * stay open here. A descriptor is authority, whatever the policy says: one of a directory opens what is in it.
   */
  preserveFds?: readonly number[] | undefined;
  /** Milliseconds: the longest wait after SIGTERM, and after SIGKILL. Default: 1000 each. */
  stop?: { gracefulMs?: number | undefined; forcedMs?: number | undefined } | undefined;
  limits?: ProcessLimits | undefined;
  /**
   * Bytes of stderr that are kept for a reader; more is cut, counted and said, and never stalls the command. 0 to 2 GiB; default: 16 MiB.
   * `Infinity`: nothing is cut, so that somebody has to read, and back-pressure reaches the command.
   */
  maxStderrBytes?: number | undefined;
  /** Default: isolated-duplex. */
  io?: IoMode | undefined;
  /** Echoed in the receipt. Default: none. */
  labels?: Readonly<Record<string, string>> | undefined;
}

export interface CheckedOptions {
  policy: PolicySource;
  invocationId: string | undefined;
  backend: BackendName | 'auto';
  workspace: string | undefined;
  environment: Readonly<Record<string, string>>;
  launcherEnvironment: Readonly<Record<string, string>>;
  preserveFds: readonly number[];
  stop: StopTimes;
  limits: CheckedLimits;
  /** Of `limits`, those that are no defaults. */
  limitsGiven: readonly (keyof ProcessLimits)[];
  maxStderrBytes: number;
  io: IoMode;
  labels: Readonly<Record<string, string>>;
}

const MOST_STOP_MS = 600_000;
const MOST_IDENTIFIER = 256;
const MOST_PRESERVED = 200;
const MOST_DESCRIPTOR = 1_048_575;
const LARGEST_ARGUMENT = 131_071; // MAX_ARG_STRLEN of the kernel, without the NUL

const MOST_STDERR_BYTES = 2 ** 31;

function isStderrLimit(value: unknown): boolean {
  return (
    value === Infinity ||
    (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_STDERR_BYTES)
  );
}

const noNul = (text: string) => !text.includes('\0');
const environment = textMembers({
  form: "an object of strings by name, as in { HOME: '/tmp' }",
  nameProblem: (name) =>
    name !== '' && noNul(name) && !name.includes('=')
      ? undefined
      : 'its name must not be empty, nor contain "=" or a NUL',
  valueProblem: (value) => (noNul(value) ? undefined : 'must not contain a NUL'),
});
const milliseconds = z
  .int(`must be an integer from 0 to ${MOST_STOP_MS}`)
  .min(0, `must be an integer from 0 to ${MOST_STOP_MS}`)
  .max(MOST_STOP_MS, `must be an integer from 0 to ${MOST_STOP_MS}`)
  .optional();
const identifier = `must be a string of 1 to ${MOST_IDENTIFIER} characters`;
const descriptorRange = `must be an integer from 4 to ${MOST_DESCRIPTOR}`;

const descriptors = `must be an array of at most ${MOST_PRESERVED} descriptors, each of them once, as in [4, 5]`;

const schema = z.strictObject({
  policy: z.custom<PolicySource>(
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
    {
      message:
        'must be a policy: what readOnly(), readWrite() or compilePolicy() gives, an object of its JSON form, or JSON text',
    },
  ),
  invocationId: z.string(identifier).min(1, identifier).max(MOST_IDENTIFIER, identifier).optional(),
  backend: z
    .enum(['auto', 'namespaces', 'seccomp', 'bubblewrap', 'seatbelt', 'posix'], {
      message: 'must be auto, namespaces, seccomp, bubblewrap, seatbelt or posix',
    })
    .optional(),
  workspace: z
    .string('must be the path of a directory')
    .min(1, 'must be the path of a directory')
    .refine(noNul, { message: 'must not contain a NUL' })
    .optional(),
  environment,
  launcherEnvironment: environment,
  preserveFds: z
    .array(z.int(descriptorRange).min(4, descriptorRange).max(MOST_DESCRIPTOR, descriptorRange), descriptors)
    .max(MOST_PRESERVED, descriptors)
    .refine((numbers) => new Set(numbers).size === numbers.length, { message: descriptors })
    .optional(),
  stop: z
    .strictObject(
      { gracefulMs: milliseconds, forcedMs: milliseconds },
      'must be an object, as in { gracefulMs: 1000 }',
    )
    .optional(),
  limits: limitsSchema.optional(),
  maxStderrBytes: z
    .custom<number>(isStderrLimit, {
      message: `must be a number of bytes up to ${MOST_STDERR_BYTES}, or Infinity`,
    })
    .optional(),
  io: z.enum(['isolated-duplex', 'inherit'], { message: 'must be isolated-duplex or inherit' }).optional(),
  labels: textMembers({ form: 'an object of strings by name' }),
});

const NAMES = {
  owner: 'spawnIsolated()',
  known: [...Object.keys(schema.shape), 'stop.gracefulMs', 'stop.forcedMs', ...LIMIT_OPTION_NAMES],
  otherWords: {
    env: 'environment',
    cwd: 'workspace',
    stdio: 'io',
    fds: 'preserveFds',
    timeout: 'limits.wallMs',
    timeoutMs: 'limits.wallMs',
    'limits.timeout': 'limits.wallMs',
    'limits.timeoutMs': 'limits.wallMs',
    signal: 'stop(), called when the signal is aborted',
    id: 'invocationId',
    executionId: 'invocationId',
  },
};

/** Throws `InvalidOptionError`. The policy itself is looked at later. */
export function checkIsolatedOptions(options: unknown): CheckedOptions {
  const given = checkOptions(schema, options, NAMES);
  return {
    policy: given.policy,
    invocationId: given.invocationId,
    backend: given.backend ?? 'auto',
    workspace: given.workspace,
    environment: given.environment ?? {},
    launcherEnvironment: given.launcherEnvironment ?? {},
    preserveFds: given.preserveFds ?? [],
    stop: {
      gracefulMs: given.stop?.gracefulMs ?? DEFAULT_STOP_TIMES.gracefulMs,
      forcedMs: given.stop?.forcedMs ?? DEFAULT_STOP_TIMES.forcedMs,
    },
    limits: withDefaults(given.limits),
    limitsGiven: namesOfGiven(given.limits),
    maxStderrBytes: given.maxStderrBytes ?? 16 * 1024 * 1024,
    io: given.io ?? 'isolated-duplex',
    labels: given.labels ?? {},
  };
}

export interface StopOptions {
  /** SIGKILL at once, also when a gentler stop is under way. Default: false. */
  force?: boolean | undefined;
}

const stopSchema = z.strictObject({ force: z.boolean('must be true or false').optional() });
const STOP_NAMES = { owner: 'stop()', known: Object.keys(stopSchema.shape) };

/** Throws `InvalidOptionError`. */
export function checkStopOptions(options: unknown = {}): StopOptions {
  return checkOptions(stopSchema, options, STOP_NAMES);
}

/** A program and its arguments, copied: text, or bytes that are no UTF-8. Throws `InvalidOptionError`. */
export function checkCommand(command: unknown): readonly [Text, ...Text[]] {
  const [program, ...rest] = partsOf(command);
  if (program === undefined) throw noCommand(command);
  const parts = [program, ...rest].map((part, index) =>
    checkPart(part, index === 0 ? 'the program' : `argument ${index}`),
  );
  if (parts[0]?.length === 0) throw new InvalidOptionError('the program of the command is empty');
  return parts as unknown as readonly [Text, ...Text[]];
}

function partsOf(command: unknown): unknown[] {
  try {
    if (Array.isArray(command)) return Array.from(command);
  } catch (cause) {
    throw new InvalidOptionError(`the command of spawnIsolated() cannot be read: ${describeThrown(cause)}`, {
      cause,
    });
  }
  throw noCommand(command);
}

function noCommand(command: unknown): InvalidOptionError {
  const what = Array.isArray(command) ? 'empty' : describeValue(command);
  const isLine = typeof command === 'string' && /\s/.test(command);
  const example = isLine ? `["sh", "-c", ${describeValue(command)}]` : '["ls", "-l"]';
  return new InvalidOptionError(
    `the command of spawnIsolated() is ${what}: write a list of the program and its arguments, as in ${example}`,
  );
}

function checkPart(part: unknown, what: string): Text {
  const isBytes = types.isUint8Array(part);
  if (typeof part !== 'string' && !isBytes)
    throw new InvalidOptionError(
      `${what} of the command is ${describeValue(part)}: it must be a string or bytes`,
    );
  const copy = isBytes ? Buffer.from(part) : part;
  if (copy.includes('\0')) throw new InvalidOptionError(`${what} of the command contains a NUL`);
  if (Buffer.byteLength(copy) > LARGEST_ARGUMENT)
    throw new InvalidOptionError(
      `${what} of the command is longer than the ${LARGEST_ARGUMENT} bytes that the kernel takes`,
    );
  return copy;
}
