/** A HostSession whose runner is the test: frames are said as objects, and everything the session does is recorded. */
import {
  HostSession,
  type SessionLog,
  type SessionOptions,
  type ToolCall,
} from '../../src/bridge/host-session.js';
import { FEATURES } from '../../src/bridge/protocol.js';

export const LIMITS = {
  timeoutMs: 1000,
  maxToolCalls: 3,
  maxResultBytes: 64,
  memoryBytes: 1 << 24,
  stackBytes: 1 << 18,
  cpuMs: 500,
  maxLogBytes: 32,
  maxConcurrentToolCalls: 2,
};

export class ScriptedRunner {
  readonly session: HostSession;
  readonly sent: string[] = [];
  readonly calls: ToolCall[] = [];
  readonly logs: SessionLog[] = [];
  readonly violations: string[] = [];
  terminals = 0;

  constructor(options: Partial<SessionOptions> = {}) {
    this.session = new HostSession(
      {
        executionId: 'e1',
        code: 'return 1',
        toolNames: ['a', 'b.c'],
        limits: LIMITS,
        maxFrameBytes: 4096,
        features: FEATURES,
        ...options,
      },
      {
        send: (text) => this.sent.push(text),
        onToolCall: (call) => this.calls.push(call),
        onLog: (entry) => this.logs.push(entry),
        onTerminal: () => this.terminals++,
        onViolation: (message) => this.violations.push(message),
      },
    );
    this.session.start();
  }

  /** A session that has seen a good `ready`. */
  static running(options: Partial<SessionOptions> = {}): ScriptedRunner {
    return new ScriptedRunner(options).ready();
  }

  say(frame: Record<string, unknown>): this {
    return this.bytes(`${JSON.stringify({ version: 'code-bridge-v1', ...frame })}\n`);
  }

  bytes(bytes: string | Buffer): this {
    this.session.receive(Buffer.from(bytes as string));
    return this;
  }

  ready(members: Record<string, unknown> = {}): this {
    return this.say({
      type: 'ready',
      executionId: 'e1',
      runnerVersion: '1',
      effectiveLimits: LIMITS,
      features: FEATURES,
      ...members,
    });
  }

  call(id: number, members: Record<string, unknown> = {}): this {
    return this.say({ type: 'tool.call', id, name: 'a', arguments: {}, ...members });
  }

  log(seq: number, members: Record<string, unknown> = {}): this {
    return this.say({ type: 'log', level: 'log', text: 'x', seq, ...members });
  }

  result(members: Record<string, unknown> = {}): this {
    const metrics = { elapsedMs: 1, toolCalls: this.calls.length };
    return this.say({
      type: 'execution.result',
      executionId: 'e1',
      ok: true,
      result: 1,
      metrics,
      ...members,
    });
  }

  failure(error: Record<string, unknown>): this {
    return this.result({ ok: false, result: undefined, error });
  }
}
