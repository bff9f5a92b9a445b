/** What a host may send in one run: each frame by itself, and all of them in their order. */
import assert from 'node:assert/strict';
import {
  DEFAULT_FRAME_BYTES,
  FrameSplitter,
  isMembers,
  type Members,
  parseFrame,
  VERSION,
} from '../wire/frames.js';
import type { JsonValue } from '../wire/strict-json.js';

const TOOLS = ['echo', 'fail'];
const MOST_TOOLS = 512;

function isWhole(value: JsonValue | undefined, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}

function requireExecute(frame: Members, program: string): void {
  const { executionId, code, tools, limits, features } = frame;
  assert.equal(typeof executionId, 'string', 'executionId of execute is no string');
  assert.equal(code, program, 'code of execute is not the text from standard input');
  assert.ok(
    Array.isArray(tools) && tools.length <= MOST_TOOLS,
    'tools of execute is no array of at most 512',
  );
  const names = tools.map((tool) => (isMembers(tool) ? tool['name'] : undefined));
  for (const name of TOOLS) assert.ok(names.includes(name), `execute does not declare the tool ${name}`);
  assert.equal(new Set(names).size, names.length, 'execute declares a tool twice');
  assert.ok(isMembers(limits), 'limits of execute is no object');
  assert.ok(isWhole(limits['maxToolCalls'], 16), 'limits.maxToolCalls is not at least 16');
  assert.ok(isWhole(limits['maxResultBytes'], 524_288), 'limits.maxResultBytes is not at least 524288');
  assert.ok(isWhole(limits['timeoutMs'], 1), 'limits.timeoutMs is not at least 1');
  if (features === undefined) return;
  assert.ok(
    Array.isArray(features) && features.every((feature) => typeof feature === 'string'),
    'features of execute are no strings',
  );
}

function requireToolResult(frame: Members, answered: Set<JsonValue | undefined>): void {
  const { id, ok, error } = frame;
  assert.ok(isWhole(id, 1), 'id of tool.result is no number of a call');
  assert.ok(!answered.has(id), `tool.result for call ${JSON.stringify(id)} was sent twice`);
  answered.add(id);
  assert.equal(typeof ok, 'boolean', 'ok of tool.result is no boolean');
  if (ok) return;
  assert.ok(isMembers(error), 'error of tool.result is no object');
  assert.equal(typeof error['code'], 'string', 'error.code of tool.result is no string');
  assert.equal(typeof error['message'], 'string', 'error.message of tool.result is no string');
}

/** Throws an error that says what about `bytes`, all that the host has sent, is against the contract. */
export function requireGoodFrames(bytes: Buffer, program: string): void {
  const splitter = new FrameSplitter();
  const frames = splitter.push(bytes).map((frame) => parseFrame(frame, DEFAULT_FRAME_BYTES));
  const [execute] = frames;
  const answered = new Set<JsonValue | undefined>();
  for (const [index, frame] of frames.entries()) {
    assert.equal(frame['version'], VERSION, 'a frame of the host has another version');
    assert.equal(
      frame['type'] === 'execute',
      index === 0,
      'execute is not the first frame, or not the only one',
    );
    switch (frame['type']) {
      case 'execute':
        requireExecute(frame, program);
        break;
      case 'tool.result':
        requireToolResult(frame, answered);
        break;
      case 'cancel':
        assert.equal(frame['executionId'], execute?.['executionId'], 'cancel names another execution');
        break;
      default:
        assert.fail(`the host sent a frame of type ${JSON.stringify(frame['type'])}`);
    }
  }
}
