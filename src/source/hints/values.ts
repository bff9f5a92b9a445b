/**
 * Hints for values that are not what the program takes them for: what is called and is no function, what is read of
 * undefined, a promise that nobody awaited.
 */
import type { AssignmentExpression, AwaitExpression, CallExpression, MemberExpression, Node } from 'acorn';
import { withoutParentheses } from '../rules/nodes.js';
import { nearestTools, toolExpression, toolList } from '../tool-names.js';
import { ExpressionAt, toolPathOf } from './expression-at.js';
import { propertyIn } from './failed-operation.js';
import type { Failure, FailureContext } from './failure.js';

/** Methods that call what they are given: their own "not a function" may be about that. */
const TAKES_FUNCTION =
  /^(?:map|filter|forEach|find|findIndex|findLast|some|every|reduce|reduceRight|flatMap|sort|toSorted|replace|replaceAll|then|from)$/;
/** Methods of arrays: called on an object that is none, they most often mean the list inside of it. */
const OF_ARRAYS = /^(?:map|filter|forEach|find|some|every|reduce|slice|join|flatMap|sort|push|includes)$/;

const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    /stack (?:size )?(?:overflow|exceeded)|call stack|too much recursion/i,
    'Write a loop instead of the recursion, or end the recursion earlier.',
  ],
  [/argument of a tool must be/, 'Pass one object with named fields: await tools.name({ id: 1 }).'],
  [
    /is read-only|assign to const/,
    'Declare it with let to assign to it, or make a changed copy of a frozen object.',
  ],
  [
    /BigInt is too large/,
    'The number has too many digits: check the exponent or the shift, or compute modulo something.',
  ],
  [/BigInt division by zero/, 'Check the divisor before the division: of BigInt, x / 0n is an error.'],
  [
    /BigInt negative exponent/,
    'A BigInt has no fractions: use an exponent of 0n or more, or numbers, Number(a) ** Number(b).',
  ],
  [
    /convert to BigInt: not an integer/,
    'Only integers become BigInt: round first, BigInt(Math.round(value)).',
  ],
  [
    /invalid BigInt literal/,
    'The text is no integer: check it, and leave out spaces, separators and the letter n.',
  ],
  [/unary \+/, 'Convert a BigInt with Number(value), not with +value.'],
  [/forbidden for >>>/, 'Write >> instead of >>>: a BigInt has no unsigned shift.'],
  [/not extensible/, 'The object is frozen: make a copy, { ...object } or [...list], and change that.'],
  [
    /BigInt are forbidden|serialize a BigInt/,
    'Convert it first: Number(value), or String(value) to keep every digit.',
  ],
  [
    /convert (?:BigInt to|to BigInt)|mix BigInt/,
    'Do not mix BigInt and Number: convert with BigInt(value) or Number(value).',
  ],
  [/circular/, 'Build the JSON from the parts that are needed, without the reference that leads back.'],
  [/convert symbol/, 'Use String(symbol) or symbol.description.'],
  [
    /repeat count|array length|number of digits|Invalid count/i,
    'Check the number that is passed here: it is negative or too large.',
  ],
  [/'instanceof'/, 'Write a class on the right side of instanceof.'],
  [
    /invalid 'in' operand/,
    'Write an object on the right side of `in`; test strings and lists with includes.',
  ],
  [
    /invalid date|Invalid time|Date value is NaN/i,
    'The date could not be read: check the text that it is made from.',
  ],
];

const ALL_FAILED = 'Every promise of Promise.any was rejected: catch the error and look at error.errors.';

export function valueHint(failure: Failure, context: FailureContext): string | undefined {
  const { message, name } = failure;
  if (/Symbol\.iterator|not iterable|Symbol\.asyncIterator/.test(message)) return iterationHint(context);
  if (/not a (?:function|constructor)/.test(message)) return callHint(message, context);
  if (/is read-only|not extensible/.test(message)) {
    const frozen = assignmentHint(context);
    if (frozen !== undefined) return frozen;
  }
  if (/read propert|convert undefined or null|set propert|properties of (?:undefined|null)/i.test(message)) {
    return readHint(failure, context);
  }
  if (name === 'AggregateError') return ALL_FAILED;
  if (/no Error: /.test(message))
    return 'Throw an Error, new Error(text), so that it has a place and a stack.';
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
}

const NO_CALL = 'Something that is called here is no function: log it to see what it is.';

/** `tools` and what is in it are frozen. */
function assignmentHint({ reading, offset }: FailureContext): string | undefined {
  const at = ExpressionAt.find(reading.text, offset);
  const left = at?.innermost<AssignmentExpression>('AssignmentExpression')?.left;
  if (at === undefined || left === undefined || toolPathOf(left) === undefined) return undefined;
  return `Nothing can be assigned to ${at.textOf(left)}: tools is frozen. Keep the value in a variable: const name = ….`;
}

function callHint(message: string, context: FailureContext): string | undefined {
  const { reading, offset, toolNames } = context;
  const at = ExpressionAt.find(reading.text, offset);
  const call = at?.call;
  if (at === undefined || call === undefined) {
    if (at?.innermost('ForOfStatement') !== undefined) return iterationHint(context);
    return /constructor/.test(message) ? undefined : NO_CALL;
  }
  const { callee } = call as { callee: Node };
  const wanted = toolPathOf(callee) ?? toolPathOfVariable(callee, at);
  if (wanted !== undefined && toolNames.includes(wanted) && (call as Node).type === 'NewExpression') {
    return `Call the tool without new: await ${toolExpression(wanted)}(…).`;
  }
  if (wanted !== undefined) return unknownToolHint(wanted, toolNames);
  const shown = at.textOf(callee);
  if (callee.type !== 'MemberExpression') return `${shown} is not a function: log it to see what it is.`;
  const { object, property, computed } = callee as MemberExpression;
  if (computed && property.type !== 'Literal') {
    const key = at.textOf(property);
    return isTools(object)
      ? `There is no tool of the name that ${key} has: log ${key}. ${toolList(toolNames)}`
      : `${at.textOf(object)} has no method of the name that ${key} has: log ${key}.`;
  }
  const method = property.type === 'Identifier' ? property.name : '';
  const on = at.textOf(object);
  if (isUnawaitedCall(object)) return `Await the call before its value is used: (await ${on}).${method}(…).`;
  if (isPromiseVariable(object, at)) return `${on} is a promise: await the call that it comes from.`;
  if (OF_ARRAYS.test(method)) {
    return `${on} is no array, or what ${method} is given is no function. A tool may give an object with the list in it: log ${on}.`;
  }
  if (TAKES_FUNCTION.test(method)) return `Pass a function to ${shown}, and check that ${on} has it.`;
  return `${on} has no method ${method || 'of this name'}: log ${on} to see what it has.`;
}

function isTools(node: Node): boolean {
  return node.type === 'Identifier' && (node as unknown as { name: string }).name === 'tools';
}

/** The tool that `name` is: of `const { tool: name } = tools`, and of `const name = tools.tool`. */
function toolPathOfVariable(node: Node, at: ExpressionAt): string | undefined {
  if (node.type !== 'Identifier') return undefined;
  const { name } = node as unknown as { name: string };
  for (const { id, init } of at.declarators) {
    if (init == null) continue;
    if (id.type === 'Identifier' && id.name === name) return toolPathOf(init);
    const property = isTools(init) && id.properties?.find(({ value }) => value?.name === name);
    if (property) return property.key?.name;
  }
  return undefined;
}

function unknownToolHint(wanted: string, toolNames: readonly string[]): string {
  const name = wanted.slice(0, 100);
  if (toolNames.includes(wanted)) return `Write the name in brackets: ${toolExpression(wanted)}(…).`;
  const owner = toolNames.find((tool) => wanted.startsWith(`${tool}.`));
  if (owner !== undefined) {
    return `A tool has no members: call it, and read its result: (await ${toolExpression(owner)}(…)).${wanted.slice(owner.length + 1)}.`;
  }
  const near = nearestTools(wanted, toolNames).map(toolExpression);
  const list = near.length === 0 ? toolList(toolNames) : `Did you mean ${near.join(' or ')}?`;
  return `There is no tool ${JSON.stringify(name)}. ${list}`;
}

function readHint({ message }: Failure, { reading, offset, toolNames }: FailureContext): string | undefined {
  const at = ExpressionAt.find(reading.text, offset);
  const key = propertyIn(message);
  const pattern = at?.innermost('ObjectPattern');
  if (at !== undefined && key === undefined && pattern !== undefined) return patternHint(pattern, at);
  const member = key === undefined ? undefined : at?.member(key);
  const promise = promiseIn(at, member);
  if (promise !== undefined) return promise;
  if (at !== undefined && member !== undefined) {
    const wanted = toolPathOf(member);
    if (wanted !== undefined)
      return unknownToolHint(key === undefined ? wanted : longest(wanted, key), toolNames);
  }
  const missing = at === undefined || member === undefined ? undefined : missingInResult(member.object, at);
  if (missing !== undefined) return missing;
  const what = key === undefined ? 'the value' : `what .${key.slice(0, 60)} is read from`;
  return `Check ${what}: log it, or read it with ?. and a default (value?.field ?? fallback).`;
}

/** Of `(await tools.x({})).content[0]`, or of a variable that has the result of a tool. */
function missingInResult(read: Node, at: ExpressionAt): string | undefined {
  if (read.type !== 'MemberExpression') return undefined;
  const { object, property, computed } = read as MemberExpression;
  const result = withoutParentheses(object) as Node;
  const awaited = result.type === 'AwaitExpression' ? result : at.initialValueOf(result);
  if (awaited?.type !== 'AwaitExpression') return undefined;
  const call = withoutParentheses((awaited as AwaitExpression).argument) as Node;
  if (computed || !isUnawaitedCall(call)) return undefined;
  const tool = at.textOf((call as CallExpression).callee);
  const name = at.textOf(property);
  const instead = name === 'content' ? ' It is the value itself, not a message with content.' : '';
  return `The result of ${tool} has no .${name}: log it to see what it has.${instead}`;
}

function patternHint(pattern: Node, at: ExpressionAt): string {
  const value = at.valueOf(pattern);
  const what = value === undefined ? 'The value' : at.textOf(value);
  return `${what} cannot be destructured, being null or undefined: log it, or give it a default (value ?? {}).`;
}

/** `tools.math` of `tools.math.double(…)`: the engine names the member that it could not read. */
function longest(path: string, key: string): string {
  return path.endsWith(key) ? path : `${path}.${key}`;
}

/** A promise somewhere in the chain of members: of a promise, everything but its methods is undefined. */
function promiseIn(at: ExpressionAt | undefined, member: MemberExpression | undefined): string | undefined {
  let node: Node | undefined = member;
  while (at !== undefined && node?.type === 'MemberExpression') {
    const { object } = node as MemberExpression;
    if (isUnawaitedCall(object))
      return `Await the call before its value is used: (await ${at.textOf(object)}).`;
    if (isPromiseVariable(object, at))
      return `${at.textOf(object)} is a promise: await the call that it comes from.`;
    node = object;
  }
  if (member !== undefined && at !== undefined) {
    const root = rootOf(member);
    const source = root === undefined ? undefined : destructuredFrom(root, at);
    if (source !== undefined) return `Await the call before it is destructured: await ${source}.`;
  }
  return undefined;
}

function isUnawaitedCall(node: Node): boolean {
  return node.type === 'CallExpression' && toolPathOf((node as CallExpression).callee) !== undefined;
}

/** `x`, if the program has `const x = tools.…(…)` without await. */
function isPromiseVariable(node: Node, at: ExpressionAt): boolean {
  if (node.type !== 'Identifier') return false;
  const { name } = node as unknown as { name: string };
  return at.declarators.some(
    ({ id, init }) => id.type === 'Identifier' && id.name === name && init != null && isUnawaitedCall(init),
  );
}

function rootOf(member: MemberExpression): string | undefined {
  let node: Node = member;
  while (node.type === 'MemberExpression') node = (node as MemberExpression).object;
  return node.type === 'Identifier' ? (node as unknown as { name: string }).name : undefined;
}

/** The tool call that `const { name } = tools.…(…)` takes apart, as text. */
function destructuredFrom(name: string, at: ExpressionAt): string | undefined {
  const found = at.declarators.find(
    ({ id, init }) =>
      init != null &&
      isUnawaitedCall(init) &&
      id.type === 'ObjectPattern' &&
      (id.properties ?? []).some(({ value }) => value?.name === name),
  );
  const path = found?.init == null ? undefined : toolPathOf((found.init as CallExpression).callee);
  return path === undefined ? undefined : `${toolExpression(path)}(…)`;
}

function iterationHint({ reading, offset }: FailureContext): string {
  const at = ExpressionAt.find(reading.text, offset);
  const iterated = at?.iterated;
  if (at !== undefined && iterated !== undefined) {
    if (isUnawaitedCall(iterated)) {
      const call = at.textOf(iterated);
      const isLoop = at.innermost('ForOfStatement') !== undefined;
      return `Await the call: ${isLoop ? `for (const item of await ${call})` : `await ${call}`}.`;
    }
    if (isPromiseVariable(iterated, at))
      return `${at.textOf(iterated)} is a promise: await the call that it comes from.`;
  }
  const what = at !== undefined && iterated !== undefined ? at.textOf(iterated) : 'The value';
  return `${what} is no list. It may be an object with the list in it, a promise that was not awaited, or undefined: log it; use Object.entries for the members of an object.`;
}
