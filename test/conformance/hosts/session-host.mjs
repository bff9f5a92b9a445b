// Our own host, as the conformance suite wants one: the session of src/bridge, as it was built, around a child process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { encodeToolError, encodeToolResult } from '../../../dist/bridge/encode.js';
import { HostSession } from '../../../dist/bridge/host-session.js';
import { FEATURES } from '../../../dist/bridge/protocol.js';
import { keepReading } from '../wire/keep-reading.mjs';

/** Frames that a runner may leave unread, beyond the calls that it may have outstanding. */
const UNDELIVERED_FRAMES = 8;
/** This much after its deadline a runner that has not ended is ended. Milliseconds. */
const GRACE_MS = 1000;
const LIMITS = {
  timeoutMs: 20_000,
  maxToolCalls: 64,
  maxResultBytes: 524_288,
  memoryBytes: 67_108_864,
  stackBytes: 1_048_576,
  cpuMs: 5000,
  maxLogBytes: 65_536,
  maxConcurrentToolCalls: 16,
};

/**
 * @param {string} kind
 * @param {string} message
 */
const failure = (kind, message) => JSON.stringify({ ok: false, kind, message });

/**
 * @param {HostSession} session
 * @param {number | null} exitCode
 */
function verdict({ outcome }, exitCode) {
  switch (outcome.kind) {
    case 'value':
      if (exitCode !== 0) return failure('crashed', 'The runner did not exit with 0.');
      return `{"ok":true${outcome.resultText === undefined ? '' : `,"value":${outcome.resultText}`}}`;
    case 'error':
      return failure(outcome.error.kind, outcome.error.message);
    case 'violation':
      return failure('violation', outcome.message);
    case 'none':
      return failure('crashed', 'The runner ended without a terminal frame.');
  }
}

/**
 * Runs `code` in the runner at this path, and resolves with the line that the suite wants, once the runner has ended.
 * `stop` cancels the run.
 * @param {string} runner
 * @param {string} code
 * @param {AbortSignal} stop
 */
export async function runProgram(runner, code, stop) {
  const child = spawn(runner, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const kill = () => {
    // A child that was never started has no pid: Node may send it to our own process group.
    if (child.pid !== undefined) child.kill('SIGKILL');
  };
  const socket = /** @type {import('node:net').Socket} */ (child.stdio[3]);
  keepReading(socket);
  let undelivered = 0;
  const options = { executionId: 'conformance', code, toolNames: ['echo', 'fail'], limits: LIMITS };
  const session = new HostSession(
    { ...options, maxFrameBytes: 1_048_576, features: FEATURES },
    {
      send(frame) {
        undelivered++;
        socket.write(frame, () => undelivered--);
      },
      onToolCall(call) {
        // As handlers do: not before what has come with the call was read.
        setImmediate(answer, call);
      },
      onLog() {},
      onTerminal: () => socket.end(),
      onViolation: kill,
    },
  );

  /** @param {import('../../../dist/bridge/host-session.js').ToolCall} call */
  function answer({ id, name, argumentsText }) {
    if (undelivered >= session.unanswered.length + UNDELIVERED_FRAMES) {
      session.violate('it does not read the results of its tool calls');
      return;
    }
    session.deliver(
      id,
      name === 'fail' ? encodeToolError(id, 'E_FAIL', 'failed') : encodeToolResult(id, argumentsText),
    );
  }

  const cancel = () => session.cancel();
  stop.addEventListener('abort', cancel);
  socket.on('data', (chunk) => session.receive(chunk));
  socket.on('error', () => {}); // what the runner had said itself counts
  socket.on('close', () => session.ended());
  const timer = setTimeout(kill, LIMITS.timeoutMs + GRACE_MS);
  session.start();
  try {
    const [exitCode] = await once(child, 'close');
    return verdict(session, exitCode);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', cancel);
  }
}
