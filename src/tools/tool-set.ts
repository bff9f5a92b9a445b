/**
 * Reads a ToolSet into a table that calls can be answered from, or says what is wrong with it. A slip is refused with
 * a sentence that says what to do: a tool that silently lacked a member would be worse than none.
 */
import { types } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { describeThrown, describeValue, isPlainObject } from './describe-value.js';
import { type SchemaCheck, SchemaProblem, schemaCheck } from './schema-check.js';
import type { ToolEffect, ToolHandler, ToolSet } from './tool.js';

/** One tool, ready to be called. */
export interface ToolEntry {
  readonly name: string;
  readonly effect: ToolEffect;
  readonly execute: ToolHandler;
  /** A function without a definition: what it does to the world, nobody said. */
  readonly isBare: boolean;
  readonly description?: string;
  /** Of arguments and results, where the tool has schemas; the schemas themselves are for those who describe it. */
  readonly input?: SchemaCheck;
  readonly inputSchema?: unknown;
  readonly output?: SchemaCheck;
  readonly outputSchema?: unknown;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly maxCalls?: number;
}

export type ToolTable = ReadonlyMap<string, ToolEntry>;

/** A tool set that cannot be used; the message says which tool, why, and what to do. */
export class ToolSetProblem extends Error {
  override readonly name = 'ToolSetProblem';
}

const MAX_TOOLS = 512;
const MAX_NAME_BYTES = 256;
const MAX_TIMEOUT_MS = 2_147_483_647;
const MEMBERS = [
  'description',
  'inputSchema',
  'outputSchema',
  'effect',
  'execute',
  'timeoutMs',
  'maxCalls',
] as const;
type Member = (typeof MEMBERS)[number];
/** The nearest name is of no help with these, which other kinds of tools have. */
const OTHER_WORDS: Readonly<Record<string, Member>> = {
  parameters: 'inputSchema',
  input: 'inputSchema',
  schema: 'inputSchema',
  input_schema: 'inputSchema',
  output_schema: 'outputSchema',
  output: 'outputSchema',
  returns: 'outputSchema',
  handler: 'execute',
  run: 'execute',
  call: 'execute',
  fn: 'execute',
};

/**
 * `reserved`: names of the run's options. Under such a name only an object with execute() is a tool: anything else most
 * likely is the option, in the place of a tool. Throws ToolSetProblem.
 */
export function readToolSet(tools: unknown, reserved: ReadonlySet<string>): ToolTable {
  const names = reading('tools', () => namesOf(tools));
  const table = new Map<string, ToolEntry>();
  for (const name of names) {
    const read = () => readTool(name, (tools as ToolSet)[name], reserved);
    table.set(name, reading(`tools[${JSON.stringify(name)}]`, read));
  }
  return table;
}

function namesOf(tools: unknown): string[] {
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
  return names;
}

/** What a getter or a proxy throws while it is read becomes a problem that says where. */
function reading<T>(label: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof ToolSetProblem) throw cause;
    throw new ToolSetProblem(`${label} cannot be read: ${describeThrown(cause)}`, { cause });
  }
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
    return { name, effect: 'write', execute: definition as ToolHandler, isBare: true };
  }
  const label = `tools[${JSON.stringify(name)}]`;
  if (typeof definition !== 'object' || definition === null) {
    throw new ToolSetProblem(
      `${label} is ${describeValue(definition)}: pass a function, or an object with execute(); options are the third argument of run()`,
    );
  }
  checkMembers(label, definition);
  return definedTool(name, label, definition as Record<Member, unknown>);
}

function definedTool(name: string, label: string, definition: Record<Member, unknown>): ToolEntry {
  const {
    description,
    effect = 'write',
    execute,
    timeoutMs,
    maxCalls,
    inputSchema,
    outputSchema,
  } = definition;
  const wrong = (member: Member, value: unknown, expected: string) =>
    new ToolSetProblem(`${label}.${member} is ${describeValue(value)}: it must be ${expected}`);
  if (typeof execute !== 'function') throw wrong('execute', execute, 'a function');
  if (effect !== 'read' && effect !== 'write') throw wrong('effect', effect, "'read' or 'write'");
  if (description !== undefined && typeof description !== 'string') {
    throw wrong('description', description, 'a string');
  }
  if (timeoutMs !== undefined && !isInteger(timeoutMs, 1, MAX_TIMEOUT_MS)) {
    throw wrong('timeoutMs', timeoutMs, `an integer from 1 to ${MAX_TIMEOUT_MS}`);
  }
  if (maxCalls !== undefined && !isInteger(maxCalls, 0, Number.MAX_SAFE_INTEGER)) {
    throw wrong('maxCalls', maxCalls, 'an integer from 0 upward');
  }
  return {
    name,
    effect,
    // Called as a method: tools may be instances of classes.
    execute: (input, context) => execute.call(definition, input, context),
    isBare: false,
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { input: readSchema(`${label}.inputSchema`, inputSchema), inputSchema }),
    ...(outputSchema !== undefined && {
      output: readSchema(`${label}.outputSchema`, outputSchema),
      outputSchema,
    }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxCalls !== undefined && { maxCalls }),
  };
}

function readSchema(label: string, schema: unknown): SchemaCheck {
  try {
    return schemaCheck(schema);
  } catch (error) {
    if (error instanceof SchemaProblem)
      throw new ToolSetProblem(`${label} ${error.message}`, { cause: error });
    throw error;
  }
}

function isInteger(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
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
    if (MEMBERS.includes(member as Member)) continue;
    const nearest = Object.hasOwn(OTHER_WORDS, member) ? OTHER_WORDS[member] : closest(member, [...MEMBERS]);
    const isNear = Object.hasOwn(OTHER_WORDS, member) || distance(member, String(nearest)) <= 3;
    const hint = isNear ? `did you mean ${nearest}?` : `a tool has ${MEMBERS.join(', ')}`;
    throw new ToolSetProblem(`${label} has an unknown member ${JSON.stringify(member)}: ${hint}`);
  }
}
