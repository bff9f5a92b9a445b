/**
 * Reads a ToolSet into a table that calls can be answered from, or says what is wrong with it. A slip is refused with
 * a sentence that says what to do: a tool that silently lacked a member would be worse than none.
 */
import { types } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { describeValue, isPlainObject } from './describe-value.js';
import type { ToolEffect, ToolHandler, ToolSet } from './tool.js';

/** One tool, ready to be called. */
export interface ToolEntry {
  readonly name: string;
  readonly effect: ToolEffect;
  readonly execute: ToolHandler;
}

export type ToolTable = ReadonlyMap<string, ToolEntry>;

/** A tool set that cannot be used; the message says which tool, why, and what to do. */
export class ToolSetProblem extends Error {
  override readonly name = 'ToolSetProblem';
}

const MAX_TOOLS = 512;
const MAX_NAME_BYTES = 256;
const MEMBERS = ['description', 'effect', 'execute'];
/** Members that tools are going to have. Accepting and ignoring them would skip a check that their author relies on. */
const MEMBERS_OF_LATER_VERSIONS = ['inputSchema', 'outputSchema', 'timeoutMs', 'maxCalls'];

/**
 * `reserved`: names of the run's options. Under such a name only an object with execute() is a tool: anything else most
 * likely is the option, in the place of a tool. Throws ToolSetProblem.
 */
export function readToolSet(tools: unknown, reserved: ReadonlySet<string>): ToolTable {
  if (typeof tools !== 'object' || tools === null || !isPlainObject(tools)) {
    // Of any other object, methods and entries would be overlooked: it would be a set of no tools.
    const how = types.isMap(tools) ? ', as Object.fromEntries(map) makes it' : '';
    throw new ToolSetProblem(
      `tools is ${describeValue(tools)}: pass a plain object of functions or tools by name${how}`,
    );
  }
  const names = Object.keys(tools);
  if (names.length > MAX_TOOLS) {
    throw new ToolSetProblem(
      `tools has ${names.length} members: at most ${MAX_TOOLS} can be declared to a program`,
    );
  }
  const table = new Map<string, ToolEntry>();
  for (const name of names) table.set(name, readTool(name, (tools as ToolSet)[name], reserved));
  return table;
}

function readTool(name: string, definition: unknown, reserved: ReadonlySet<string>): ToolEntry {
  checkName(name);
  if (reserved.has(name) && !hasExecute(definition)) {
    throw new ToolSetProblem(
      `tools.${name} is ${describeValue(definition)} with the name of a run option: are the arguments shifted? ` +
        'Options are the third argument of run(); a tool of this name must be written { execute() {…} }',
    );
  }
  if (typeof definition === 'function') {
    return { name, effect: 'write', execute: definition as ToolHandler };
  }
  const label = `tools[${JSON.stringify(name)}]`;
  if (typeof definition !== 'object' || definition === null) {
    throw new ToolSetProblem(
      `${label} is ${describeValue(definition)}: pass a function, or an object with execute()`,
    );
  }
  checkMembers(label, definition);
  const { description, effect = 'write', execute } = definition as Record<string, unknown>;
  if (typeof execute !== 'function') {
    throw new ToolSetProblem(`${label}.execute is ${describeValue(execute)}: it must be a function`);
  }
  if (effect !== 'read' && effect !== 'write') {
    throw new ToolSetProblem(`${label}.effect is ${describeValue(effect)}: it must be 'read' or 'write'`);
  }
  if (description !== undefined && typeof description !== 'string') {
    throw new ToolSetProblem(`${label}.description is ${describeValue(description)}: it must be a string`);
  }
  // Called as a method: tools may be instances of classes.
  return { name, effect, execute: (input, context) => execute.call(definition, input, context) };
}

function hasExecute(definition: unknown): boolean {
  return (
    typeof definition === 'object' &&
    definition !== null &&
    typeof (definition as { execute?: unknown }).execute === 'function'
  );
}

function checkName(name: string): void {
  if (name === '') throw new ToolSetProblem('a tool has the empty name: give it one of 1 to 256 bytes');
  if (name.includes('\0'))
    throw new ToolSetProblem(`the tool name ${JSON.stringify(name)} has a NUL: leave it out`);
  if (/\p{Surrogate}/u.test(name)) {
    throw new ToolSetProblem(`the tool name ${JSON.stringify(name)} has half a surrogate pair: leave it out`);
  }
  const bytes = Buffer.byteLength(name);
  if (bytes > MAX_NAME_BYTES) {
    const start = JSON.stringify(name.slice(0, 20));
    throw new ToolSetProblem(
      `the tool name that begins ${start} has ${bytes} bytes: at most ${MAX_NAME_BYTES}`,
    );
  }
}

function checkMembers(label: string, definition: object): void {
  for (const member of Object.keys(definition)) {
    if (MEMBERS.includes(member)) continue;
    if (MEMBERS_OF_LATER_VERSIONS.includes(member)) {
      throw new ToolSetProblem(
        `${label}.${member}: this version of wardenpool does not have it; leave it out`,
      );
    }
    const nearest = closest(member, MEMBERS);
    const hint =
      distance(member, nearest) <= 3 ? `did you mean ${nearest}?` : `a tool has ${MEMBERS.join(', ')}`;
    throw new ToolSetProblem(`${label} has an unknown member ${JSON.stringify(member)}: ${hint}`);
  }
}
