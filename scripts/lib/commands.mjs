// Finding programs and running them to their end, with a bound on the time and their output kept for the case that
// they fail.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ExplainedError, root } from './project.mjs';

const lastLines = 60;

/**
 * The file that a shell would run for this name, or undefined.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findProgram(name) {
  const candidates = name.includes('/')
    ? [name]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder || '.', name));
  return candidates.find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Which exact file a program is, so that a change of version is noticed without running it.
 * @param {string} name
 */
export function identifyProgram(name) {
  const path = findProgram(name);
  if (path === undefined) return `${name}: missing`;
  const file = realpathSync(path);
  const { size, mtimeMs } = statSync(file);
  return `${file}: ${size} ${mtimeMs}`;
}

/**
 * @typedef {object} CommandOptions
 * @property {number} timeoutMs      after which the program is killed
 * @property {string} [folder]       to run it in; default the root of the checkout
 * @property {Record<string, string>} [environment]  added to ours
 * @property {string} [input]        the program's stdin; default none
 * @property {boolean} [showErrors]  whether stderr goes to the terminal as it comes; default false
 */

/**
 * Runs a program quietly. If it fails, throws an ExplainedError with the command and the end of its output.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {CommandOptions} options
 * @returns {string} its stdout
 */
export function run(program, args, options) {
  const result = spawnSync(program, args, {
    cwd: options.folder ?? root,
    encoding: 'utf8',
    env: { ...process.env, ...options.environment },
    input: options.input ?? '',
    killSignal: 'SIGKILL',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['pipe', 'pipe', options.showErrors ? 'inherit' : 'pipe'],
    timeout: options.timeoutMs,
  });
  if (result.status === 0) return result.stdout;
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`
    .trimEnd()
    .split('\n')
    .slice(-lastLines)
    .join('\n');
  const how = `failed (${describeEnd(result, options)})${output === '' ? '' : `:\n${output}`}`;
  throw new ExplainedError(`${[program, ...args].join(' ')}\n${how}`);
}

/**
 * @param {import('node:child_process').SpawnSyncReturns<string>} result
 * @param {CommandOptions} options
 */
function describeEnd({ error, status, signal }, options) {
  if (error && 'code' in error && error.code === 'ETIMEDOUT')
    return `no end after ${options.timeoutMs / 1000} s`;
  if (error) return error.message;
  return signal ? `killed by ${signal}` : `exit status ${status}`;
}

/**
 * Whether a program succeeds; what it prints is of no interest.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {CommandOptions} options
 */
export function succeeds(program, args, options) {
  try {
    run(program, args, options);
    return true;
  } catch (error) {
    if (error instanceof ExplainedError) return false;
    throw error;
  }
}
