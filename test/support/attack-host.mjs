// A host of attacking runners in a process of its own, so that it can be any user. It does what its parent says over IPC.
// Arguments: the module of the class Launcher, and the directory of the launchers with the attacker in them.
import { join } from 'node:path';

const [launcherModule = '', binaries = ''] = process.argv.slice(2);
/** @type {typeof import('../../src/executor/launcher.js')} */
const { Launcher } = await import(launcherModule);

/** Sandboxes at once, of one batch of requests. */
const IN_FLIGHT = 16;

const MIB = 2 ** 20;
/** CPU time is at the kernel's smallest: one second, then one more. */
const CEILINGS = {
  memoryBytes: 4 * MIB,
  stackBytes: MIB / 2,
  timeoutMs: 60_000,
  cpuMs: 1,
  maxToolCalls: 1,
  maxConcurrentToolCalls: 1,
  maxFrameBytes: MIB / 2,
  maxResultBytes: MIB / 2,
  maxLogBytes: MIB / 2,
};

/** @type {Map<string, Promise<import('../../src/executor/launcher.js').Launcher>>} */
const launchers = new Map();
/** @type {Map<number, { launcher: import('../../src/executor/launcher.js').Launcher, sandbox: number }>} */
const staying = new Map();

/** @param {unknown} message */
const tell = (message) => process.send?.(message);

/**
 * @param {string} executable
 * @param {'shared' | 'own' | 'none'} namespaces
 */
function launcherOf(executable, namespaces) {
  const key = `${executable} ${namespaces}`;
  const known = launchers.get(key);
  if (known !== undefined) return known;
  const started = Launcher.start({
    executable: join(binaries, executable),
    namespaces,
    ceilings: CEILINGS,
    diagnosticsLimit: 4096,
    onExit() {},
  });
  launchers.set(key, started);
  started.then(
    (launcher) => launcher.hold(),
    () => {},
  );
  return started;
}

/**
 * One sandbox. `onData`: what it says, as it comes.
 * @param {import('../../src/executor/launcher.js').Launcher} launcher
 * @param {string} request
 * @param {(text: string, sandbox: number) => void} [onData]
 * @returns {Promise<{ waitStatus: number, said: string }>}
 */
function attempt(launcher, request, onData) {
  return new Promise((resolve, reject) => {
    let said = '';
    const sandbox = launcher.spawn({
      spawned: () => launcher.write(sandbox, `${request}\n`),
      spawnFailed: reject,
      data(chunk) {
        const text = chunk.toString('latin1');
        if (said.length < 65_536) said += text;
        onData?.(text, sandbox);
      },
      end() {},
      diagnostics() {},
      exited: ([, waitStatus]) => resolve({ waitStatus, said }),
    });
  });
}

/** @param {{ id: number, executable: string, namespaces: 'shared' | 'own' | 'none', requests: string[], stays: boolean }} message */
async function serve({ id, executable, namespaces, requests, stays }) {
  const launcher = await launcherOf(executable, namespaces);
  /** @type {{ waitStatus: number, said: string }[]} */
  const outcomes = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(IN_FLIGHT, requests.length) }, async () => {
      for (let index = next++; index < requests.length; index = next++)
        outcomes[index] = await attempt(launcher, requests[index] ?? '', (_, sandbox) => {
          if (!stays || staying.has(id)) return;
          staying.set(id, { launcher, sandbox });
          tell({ id, pid: launcher.pidOf(sandbox) });
        });
    }),
  );
  staying.delete(id);
  tell({ id, outcomes });
}

process.on('message', (/** @type {any} */ message) => {
  const stays = staying.get(message.id);
  if (message.requests)
    serve(message).catch((error) => tell({ id: message.id, error: String(error?.stack ?? error) }));
  else if (message.release) stays?.launcher.endInput(stays.sandbox);
  else if (message.signal) stays?.launcher.sendSignal(stays.sandbox, message.signal);
});
process.on('disconnect', () => process.exit());
tell({ ready: true });
