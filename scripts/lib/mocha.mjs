// Runs mocha in bounded time, with its output as it comes, and says how it ended.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, say } from './project.mjs';

/**
 * @typedef {object} MochaRun
 * @property {string} title          what the line at the end begins with
 * @property {readonly string[]} args  of mocha
 * @property {number} timeoutMs      after which it is killed
 * @property {string} [node]         the Node.js to run it with; default the one that runs this
 * @property {string} [folder]       default the root of the checkout
 * @property {Record<string, string>} [environment]  added to ours
 */

/**
 * @param {MochaRun} run
 * @returns {boolean} whether every test passed
 */
export function runMocha({ title, args, timeoutMs, node = process.execPath, folder = root, environment }) {
  const started = performance.now();
  const { error, status, signal } = spawnSync(
    node,
    [join(root, 'node_modules/mocha/bin/mocha.js'), ...args],
    {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    },
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const how = status === 0 ? 'passed' : `failed (${error?.message ?? signal ?? `exit status ${status}`})`;
  say(`${title}: ${how} after ${seconds} s`);
  return status === 0;
}
