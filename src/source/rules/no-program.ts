/**
 * Texts that parse as JavaScript and are no programs: nothing but comments, an address, a note, a tool call in JSON.
 * Run, they would have a result, and the model would never learn that nothing was done.
 */
import type { Expression, ExpressionStatement, Node, Statement, TemplateLiteral } from 'acorn';
import { type ParsedBody, parseExpression } from '../syntax/parse.js';
import { withoutParentheses } from './nodes.js';
import type { Refusal } from './refusal.js';

const TOOL_KEYS = ['tool', 'tool_name', 'toolName', 'name', 'function', 'recipient_name', 'action'];
const ARGUMENT_KEYS = [
  ...['arguments', 'args', 'input', 'parameters', 'params', 'tool_input', 'action_input'],
  ...['toolInput', 'actionInput'],
];
/** Keys under which a program is put into JSON, and what is put beside it. */
const PROGRAM_KEYS = ['code', 'program', 'script', 'javascript', 'typescript', 'js', 'source'];
const BESIDE_PROGRAM = new Set([
  ...['language', 'lang', 'type', 'runtime', 'timeout', 'timeoutMs', 'timeout_ms', 'title', 'name', 'id'],
  ...['description', 'explanation', 'reason', 'reasoning', 'thought', 'thoughts', 'comment', 'input', 'args'],
]);
/** In a member named as a program: anything that does something. */
const LOOKS_LIKE_PROGRAM = /\b(?:return|await|tools|const|let|var|function|console)\b|=>|[\w$\])]\(/;
/** In a string of its own, which may as well be a result. */
const IS_PROGRAM = /\b(?:return|await|tools)\b|=>/;

export const EMPTY: Refusal = {
  message: 'The program is empty.',
  hint: 'Write JavaScript statements, and return the result.',
};

/** Why these statements are not run; undefined if they are. */
export function refusalOfStatements({ statements, start }: ParsedBody): Refusal | undefined {
  const meaningful = statements.filter((statement) => !isNothing(statement));
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

/** Nothing is left of an `export { a }`; what is exported by default is the result. */
function isNothing(statement: Node): boolean {
  if (statement.type === 'EmptyStatement') return true;
  if (statement.type !== 'ExportNamedDeclaration') return false;
  const { declaration, source, specifiers } = statement as unknown as {
    declaration: Node | null;
    source: Node | null;
    specifiers: { exported: { name?: string } }[];
  };
  return !declaration && !source && !specifiers.some(({ exported }) => exported.name === 'default');
}

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
  const text = value.type === 'Literal' ? stringOf(value) : undefined;
  if (text !== undefined && IS_PROGRAM.test(text)) return WRAPPED;
  const members = literalMembers(value);
  if (members === undefined) return undefined;
  const inner = literalMembers(members.get('function'));
  if (isWrappedProgram(members) || [members, inner].some(hasProgramAsArgument)) return WRAPPED;
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

const WRAPPED: Refusal = {
  message: 'The text is a program in JSON or in quotes, and would do nothing.',
  hint: 'Send the JavaScript itself as the text, without JSON or quotes around it.',
  namesTools: true,
};

/** `{"code": "return 1"}`, with nothing beside it that a result would have. */
function isWrappedProgram(members: Map<string, Node>): boolean {
  const keys = [...members.keys()];
  const programs = keys.filter((key) => PROGRAM_KEYS.includes(key) && isProgram(members.get(key)));
  return programs.length === 1 && keys.every((key) => key === programs[0] || BESIDE_PROGRAM.has(key));
}

/** `{"name": "run_code", "arguments": {"code": "return 1"}}`; the arguments may be JSON in a string. */
function hasProgramAsArgument(members: Map<string, Node> | undefined): boolean {
  if (members === undefined || toolName(members) === undefined) return false;
  return ARGUMENT_KEYS.some((key) => {
    const node = members.get(key);
    const inner = literalMembers(node);
    if (inner !== undefined) return isWrappedProgram(inner);
    const text = stringOf(node) ?? '';
    const parsed = text.trimStart().startsWith('{') ? parseExpression(text) : undefined;
    if (!parsed?.ok) return false;
    const [statement] = parsed.value.statements as [ExpressionStatement];
    const quoted = literalMembers(withoutParentheses(statement.expression));
    return quoted !== undefined && isWrappedProgram(quoted);
  });
}

function isProgram(node: Node | undefined): boolean {
  const text = stringOf(node);
  return text !== undefined && LOOKS_LIKE_PROGRAM.test(text);
}

function stringOf(node: Node | undefined): string | undefined {
  if (node?.type === 'TemplateLiteral') {
    const { quasis } = node as TemplateLiteral;
    return quasis.length === 1 ? (quasis[0]?.value.cooked ?? undefined) : undefined;
  }
  const value = node?.type === 'Literal' ? (node as unknown as { value: unknown }).value : undefined;
  return typeof value === 'string' ? value : undefined;
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
    const value = stringOf(members.get(key));
    if (value !== undefined && value.length <= 256) return value;
  }
  return undefined;
}

function hasArguments(members: Map<string, Node>, isFunction: boolean): boolean {
  return isFunction || ARGUMENT_KEYS.some((key) => members.has(key));
}
