/**
 * Frames from the host to the runner, as text with their newline. JSON texts are passed through, not parsed and
 * written again: what a handler returned is turned into JSON once.
 */
import { type BridgeLimits, type Feature, PROTOCOL_VERSION } from './protocol.js';

export interface ExecuteRequest {
  executionId: string;
  /** Non-empty. */
  code: string;
  toolNames: readonly string[];
  limits: BridgeLimits;
  features: readonly Feature[];
  /** What randomness and time follow from, for a runner that grants `seed`. Default: they are real. */
  seed?: string | undefined;
}

export function encodeExecute(request: ExecuteRequest): string {
  const { executionId, code, toolNames, limits, features, seed } = request;
  const tools = toolNames.map((name) => ({ name }));
  const frame = { version: PROTOCOL_VERSION, type: 'execute', executionId, code, tools, limits };
  // A peer that knows no features must see exactly the base frame.
  return `${JSON.stringify(features.length === 0 ? frame : { ...frame, features, seed })}\n`;
}

export function encodeCancel(executionId: string): string {
  return `{"version":"${PROTOCOL_VERSION}","type":"cancel","executionId":${JSON.stringify(executionId)}}\n`;
}

/** `resultText`: JSON without a raw newline, as JSON.stringify makes it. */
export function encodeToolResult(id: number, resultText: string): string {
  return `{"version":"${PROTOCOL_VERSION}","type":"tool.result","id":${id},"ok":true,"result":${resultText}}\n`;
}

export function encodeToolError(id: number, code: string, message: string): string {
  const error = `{"code":${JSON.stringify(code)},"message":${JSON.stringify(message)}}`;
  return `{"version":"${PROTOCOL_VERSION}","type":"tool.result","id":${id},"ok":false,"error":${error}}\n`;
}

/** Bytes of an encoded frame as the protocol counts them: without its newline. */
export function frameBytes(frame: string): number {
  return Buffer.byteLength(frame) - 1;
}
