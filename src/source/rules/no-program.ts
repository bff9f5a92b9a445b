/**
 * Texts that parse as JavaScript and are no programs: nothing but comments, an address, a note, a tool call in JSON.
 * Run, they would have a result, and the model would never learn that nothing was done.
 */
import type { Expression, Node, Statement } from 'acorn';
import type { ParsedBody } from '../syntax/parse.js';
import { withoutParentheses } from './nodes.js';
import type { Refusal } from './refusal.js';

const TOOL_KEYS = ['tool', 'tool_name', 'toolName', 'name', 'function', 'recipient_name'];
const ARGUMENT_KEYS = ['arguments', 'args', 'input', 'parameters', 'params', 'tool_input'];

export const EMPTY: Refusal = {
  message: 'The program is empty.',
  hint: 'Write JavaScript statements, and return the result.',
};

/** Why these statements are not run; undefined if they are. */
export function refusalOfStatements({ statements, start }: ParsedBody): Refusal | undefined {
  const meaningful = statements.filter(({ type }) => type !== 'EmptyStatement');
  const [first] = meaningful;
  if (first === undefined) return statements.length === 0 ? NO_STATEMENTS : EMPTY;
  if (!meaningful.every(isNote)) return undefined;
  return {
    message: 'The text is no program: to JavaScript it is a label and nothing to do.',
    hint: 'Send JavaScript only, without notes or addresses; return the result.',
    namesTools: true,
    offset: start(first),
  };
}

const NO_STATEMENTS: Refusal = {
  message: 'The program is empty: it has no statement, only blanks or comments.',
  hint: EMPTY.hint,
};

/** `https://…`, which is a label and a comment; `Answer: 42`. */
function isNote(statement: Statement): boolean {
  let inner: Statement = statement;
  if (inner.type !== 'LabeledStatement') return false;
  while (inner.type === 'LabeledStatement') inner = inner.body;
  return (
    inner.type === 'EmptyStatement' || (inner.type === 'ExpressionStatement' && isValue(inner.expression))
  );
}

function isValue(expression: Expression): boolean {
  const { type } = withoutParentheses(expression);
  return type === 'Literal' || type === 'TemplateLiteral' || type === 'Identifier';
}

/** Why this expression, which is the whole program, is not run; undefined if it is. */
export function refusalOfExpression(expression: Expression): Refusal | undefined {
  let value: Node = withoutParentheses(expression);
  if (value.type === 'ArrayExpression') {
    value = (value as unknown as { elements: (Node | null)[] }).elements[0] ?? value;
  }
  const members = literalMembers(value);
  if (members === undefined) return undefined;
  const inner = literalMembers(members.get('function'));
  const name = toolName(members) ?? (inner === undefined ? undefined : toolName(inner));
  const isCall =
    members.has('tool_calls') || (name !== undefined && hasArguments(inner ?? members, inner !== undefined));
  if (!isCall) return undefined;
  const example =
    name === undefined ? 'await tools.name({ … })' : `await tools[${JSON.stringify(name)}]({ … })`;
  return {
    message: 'The text is a tool call written as JSON, and no program.',
    hint: `Call the tool from JavaScript: return ${example};`,
    namesTools: true,
  };
}

/** The members of an object literal, by key; undefined if it has others than plain ones. */
function literalMembers(node: Node | undefined): Map<string, Node> | undefined {
  if (node?.type !== 'ObjectExpression') return undefined;
  const members = new Map<string, Node>();
  for (const property of (node as unknown as { properties: Node[] }).properties) {
    if (property.type !== 'Property') return undefined;
    const { key, value } = property as unknown as { key: { name?: string; value?: unknown }; value: Node };
    members.set(String(key.name ?? key.value), value);
  }
  return members;
}

function toolName(members: Map<string, Node>): string | undefined {
  for (const key of TOOL_KEYS) {
    const node = members.get(key);
    const value = node?.type === 'Literal' ? (node as unknown as { value: unknown }).value : undefined;
    if (typeof value === 'string' && value.length <= 256) return value;
  }
  return undefined;
}

function hasArguments(members: Map<string, Node>, isFunction: boolean): boolean {
  return isFunction || ARGUMENT_KEYS.some((key) => members.has(key));
}
