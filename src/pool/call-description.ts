/**
 * A tool call as the caller of run() sees it, made from the JSON text that the program sent. A record is kept until its run
 * is over, and a text of a megabyte may parse to forty times that in objects: a program must not be able to have the host
 * keep those, nor work on them for nobody. So they are made for those who read them.
 */
import { canonicalDigest } from '../tools/canonical-json.js';
import { defineLazily } from '../tools/lazy-member.js';
import type { ToolCall, ToolCallRecord } from './run-result.js';

type CallHead = Pick<ToolCall, 'id' | 'name' | 'effect'>;

/** What handlers and others make of their own copies does not show in it. */
export function describeCall(head: CallHead, argumentsText: string): ToolCall {
  const call = { ...head } as ToolCall;
  addArguments(call, argumentsText);
  return call;
}

/** The record of a call that has no outcome yet. */
export function newRecord(head: CallHead, argumentsText: string): ToolCallRecord {
  const record = { ...head, outcome: 'abandoned', ms: 0 } as ToolCallRecord;
  addArguments(record, argumentsText);
  return record;
}

/** `resultText`: the JSON that the program gets, which the handler cannot change any more. */
export function addResult(record: ToolCallRecord, resultText: string): void {
  defineLazily(record, 'result', () => JSON.parse(resultText));
}

function addArguments(call: ToolCall, argumentsText: string): void {
  defineLazily(call, 'arguments', () => JSON.parse(argumentsText));
  defineLazily(call, 'argumentsDigest', () => canonicalDigest(JSON.parse(argumentsText)));
}
