/**
 * Where the operation is that failed. The engine keeps a place for calls and for variables, not for every operation: an
 * error of another one comes with the last place before it in its function, or with none. By the message one can tell
 * which operations may have failed; the one that may have, behind that place, is it. Must not know what hints say.
 */
import type {
  AssignmentExpression,
  BinaryExpression,
  CallExpression,
  ForOfStatement,
  ImportExpression,
  MemberExpression,
  Node,
  UnaryExpression,
} from 'acorn';
import { fullAncestor } from 'acorn-walk';
import { withoutParentheses } from '../rules/nodes.js';
import { type ParsedBody, parseBody } from '../syntax/parse.js';
import { MAX_LENGTH, toolPathOf } from './expression-at.js';
import type { Failure } from './failure.js';
import { iteratedBy, mayBeNamed, valueOfPattern } from './operands.js';

/** One operation of the program that may have failed. */
interface Operation {
  /** What is shown as its place. */
  place: Node;
  /** A place in here is its own; absent: the engine has none for it. */
  operands?: Node;
  /** Behind it, in the order of the engine's code; absent: wherever it is, in whatever function. */
  at?: number;
}

/** `known`: the operation, at this offset; `unknown`: it is not at the place that the engine gives; `unchecked`: may be. */
export type FailedOperation = { kind: 'known'; offset: number } | { kind: 'unknown' } | { kind: 'unchecked' };

type OperationsOf = (node: Node, parent: Node | undefined, body: ParsedBody) => Operation | undefined;

/** An operation that has a place of its own always, and is not looked for behind another. */
const NEVER_BEHIND = Number.NEGATIVE_INFINITY;
const FUNCTIONS = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
/** Methods that are there: a call of them is not what is "not a function". */
const CONSOLE = /^(?:log|info|warn|error|debug)$/;
const BIGINT_OPERATORS: readonly (readonly [RegExp, RegExp])[] = [
  [/negative exponent/, /^\*\*=?$/],
  [/division by zero/, /^[/%]=?$/],
  [/too large to allocate/, /^(?:\*\*?|<<|\+|-)=?$/],
  [/unary \+/, /^unary \+$/],
  [/cannot convert BigInt to number|forbidden for/, /^(?:\*\*?|[-+/%&|^]|<<|>>>?)=?$/],
];

/** `offset`: of the failure, in the text that ran. */
export function failedOperation(
  failure: Failure,
  text: string,
  offset: number | undefined,
  toolNames: readonly string[],
): FailedOperation {
  const operationsOf = operationsFor(failure, toolNames);
  if (operationsOf === undefined || text.length > MAX_LENGTH) return { kind: 'unchecked' };
  try {
    const parsed = parseBody(text);
    if (!parsed.ok) return { kind: 'unchecked' };
    return chosen(new Candidates(parsed.value, operationsOf, failure, offset ?? -1));
  } catch (error) {
    // The program is nested so deeply that it cannot be walked through.
    if (error instanceof RangeError) return { kind: 'unchecked' };
    throw error;
  }
}

function chosen({ own, behind }: Candidates): FailedOperation {
  if (own !== undefined) return { kind: 'known', offset: own };
  const [only, second] = behind;
  return only !== undefined && second === undefined ? { kind: 'known', offset: only } : { kind: 'unknown' };
}

/** A node, and the function that it is in; undefined: the program itself. */
interface Owned<T> {
  it: T;
  owner: Node | undefined;
}

/** The operations that may have failed, by the place that the engine gives and the function that it names. */
class Candidates {
  /** The place itself, if an operation has it for its own. */
  readonly own: number | undefined;
  /** Places of operations behind it, with nothing in between that the engine would have given instead. */
  readonly behind: number[];

  readonly #operations: Owned<Operation>[] = [];
  /** What the engine has places for. */
  readonly #placed: Owned<{ place: number; end: number }>[] = [];
  readonly #names = new Map<Node, string | undefined>();
  #innermost: Node | undefined;

  constructor(body: ParsedBody, operationsOf: OperationsOf, failure: Failure, offset: number) {
    const { start, end } = body;
    this.#collect(body, operationsOf, offset);
    const frame = functionOfFrame(failure);
    const where = frame === undefined ? undefined : this.#innermost;
    const isOwn = ({ it: { operands }, owner }: Owned<Operation>) =>
      operands !== undefined && owner === where && start(operands) <= offset && offset <= end(operands);
    this.own = this.#operations.some(isOwn) ? offset : undefined;
    // A function that has no place in it is said to be where the statement begins that it is in.
    const mayBeIn = (owner: Node | undefined) =>
      frame === undefined || owner === undefined
        ? frame === owner
        : this.#names.get(owner) === frame.name && (owner === where || start(owner) >= offset);
    const isNext = ({ it: { at }, owner }: Owned<Operation>) =>
      at === undefined ||
      (at >= offset &&
        mayBeIn(owner) &&
        !this.#placed.some(({ it, owner: other }) => other === owner && it.place > offset && it.end <= at));
    this.behind = this.#operations.filter(isNext).map(({ it: { place } }) => start(place));
  }

  #collect(body: ParsedBody, operationsOf: OperationsOf, offset: number): void {
    const { start, end } = body;
    const visit = (node: Node, _state: unknown, ancestors: Node[], type: string) => {
      const parent = ancestors.at(-2);
      const owner = ancestors.slice(0, -1).findLast((around) => FUNCTIONS.test(around.type));
      if (FUNCTIONS.test(node.type)) {
        this.#names.set(node, nameOfFunction(node, parent));
        const isAround = start(node) <= offset && offset <= end(node);
        if (isAround && (this.#innermost === undefined || start(node) >= start(this.#innermost))) {
          this.#innermost = node;
        }
      }
      const place = enginePlaceOf(node, parent, type);
      if (place !== undefined) this.#placed.push({ it: { place: start(place), end: end(node) }, owner });
      const operation = operationsOf(node, parent, body);
      if (operation !== undefined) this.#operations.push({ it: operation, owner });
    };
    for (const statement of body.statements) fullAncestor(statement, visit);
  }
}

/** The function of the uppermost frame; undefined: the program, which is the only one without a name there. */
function functionOfFrame({ stack }: Failure): { name: string | undefined } | undefined {
  const name = /^\s*at (\S+) \(program\.js:/.exec(stack ?? '')?.[1];
  return name === undefined ? undefined : { name: name === '<anonymous>' ? undefined : name };
}

function nameOfFunction(node: Node, parent: Node | undefined): string | undefined {
  const own = (node as Node & { id?: { name: string } | null }).id?.name;
  const { id, key } = (parent ?? {}) as { id?: { name?: string }; key?: { name?: string } };
  return own ?? id?.name ?? key?.name;
}

/** Where the engine says that a call, or the reading of a variable, is. */
function enginePlaceOf(node: Node, parent: Node | undefined, type: string): Node | undefined {
  if (type === 'CallExpression' || type === 'NewExpression') {
    const { callee } = node as CallExpression;
    return callee.type === 'MemberExpression' ? callee.property : callee;
  }
  const isVariable = type === 'Identifier' && (node as Node & { name: string }).name !== 'undefined';
  return isVariable && parent?.type !== 'Property' ? node : undefined;
}

/** Undefined: the message does not tell what failed. */
function operationsFor({ name, message }: Failure, toolNames: readonly string[]): OperationsOf | undefined {
  if (name === 'ReferenceError') {
    return /could not load module/.test(message) ? (node) => ofImports(node, message) : undefined;
  }
  if (/BigInt/i.test(message)) {
    const operators = BIGINT_OPERATORS.find(([pattern]) => pattern.test(message))?.[1];
    return operators && withBuiltIns((node, _parent, { end }) => ofOperators(node, operators, end));
  }
  if (name !== 'TypeError') return undefined;
  if (/not iterable|Symbol\.iterator/.test(message)) return withBuiltIns(ofIterations);
  if (/convert undefined or null to object/i.test(message)) return withBuiltIns(ofObjectPatterns);
  if (/^not a function$/.test(message)) return (node, _parent, body) => ofCalls(node, body, toolNames);
  const key = propertyIn(message);
  return key === undefined ? undefined : (node, _parent, { end }) => ofMembers(node, key, end);
}

/** The name of the property that could not be read or set. */
export function propertyIn(message: string): string | undefined {
  const match = /propert(?:y|ies) '([^']*)' of|\(reading '([^']*)'\)/.exec(message);
  return match?.[1] ?? match?.[2];
}

/** Or one of the functions of the language: a call of a member of a global, or of a class. */
function withBuiltIns(operationsOf: OperationsOf): OperationsOf {
  return (node, parent, body) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression')
      return operationsOf(node, parent, body);
    const { callee } = node as CallExpression;
    let root: Node = callee;
    while (root.type === 'MemberExpression') root = (root as MemberExpression).object;
    const isBuiltIn = root.type === 'Identifier' && /^[A-Z]/.test((root as Node & { name: string }).name);
    return isBuiltIn ? { place: callee, operands: node, at: NEVER_BEHIND } : undefined;
  };
}

/** The module that the message names: its promise is rejected, and has no place, whatever ran before. */
function ofImports(node: Node, message: string): Operation | undefined {
  if (node.type !== 'ImportExpression') return undefined;
  const { source } = node as ImportExpression;
  const isOther = source.type === 'Literal' && !message.includes(`'${source.value}'`);
  return isOther ? undefined : { place: node };
}

function ofOperators(node: Node, operators: RegExp, end: ParsedBody['end']): Operation | undefined {
  if (node.type === 'UnaryExpression') {
    const { operator } = node as UnaryExpression;
    return operators.test(`unary ${operator}`) ? { place: node, operands: node, at: end(node) } : undefined;
  }
  if (node.type !== 'BinaryExpression' && node.type !== 'AssignmentExpression') return undefined;
  const { operator, right } = node as BinaryExpression | AssignmentExpression;
  return operators.test(operator) ? { place: right, operands: node, at: end(node) } : undefined;
}

function ofIterations(node: Node, parent: Node | undefined, body: ParsedBody): Operation | undefined {
  if (node.type === 'ArrayPattern') {
    return isIterableLiteral(valueOfPattern(node, parent)) ? undefined : ofPattern(node, body);
  }
  const iterated = iteratedBy(node, parent);
  if (iterated === undefined || isIterableLiteral(iterated)) return undefined;
  return { place: iterated, operands: iterated, at: body.end(iterated) };
}

function ofObjectPatterns(node: Node, parent: Node | undefined, body: ParsedBody): Operation | undefined {
  if (node.type !== 'ObjectPattern') return undefined;
  const value = valueOfPattern(node, parent);
  return value !== undefined && /^(?:Object|Array)Expression$/.test(value.type)
    ? undefined
    : ofPattern(node, body);
}

/** The engine's code for a pattern comes before that for the value that it takes apart. */
function ofPattern(node: Node, { start }: ParsedBody): Operation {
  return { place: node, at: start(node) };
}

function isIterableLiteral(value: Node | undefined): boolean {
  return value !== undefined && /^(?:ArrayExpression|TemplateLiteral)$/.test(value.type);
}

/** Everything that is called, and the loop that calls what its list does not have. */
function ofCalls(node: Node, { end }: ParsedBody, toolNames: readonly string[]): Operation | undefined {
  if (node.type === 'ForOfStatement') {
    const { right } = node as ForOfStatement;
    return (node as ForOfStatement).await ? { place: right, operands: right, at: end(right) } : undefined;
  }
  if (!/^(?:Call|New|TaggedTemplate)Expression$/.test(node.type)) return undefined;
  const { callee } = node as CallExpression;
  const isThere = node.type === 'CallExpression' && isKnownFunction(callee, toolNames);
  return isThere ? undefined : { place: node, operands: node, at: NEVER_BEHIND };
}

function isKnownFunction(callee: Node, toolNames: readonly string[]): boolean {
  const path = toolPathOf(callee);
  if (path !== undefined) return toolNames.includes(path);
  const { object, property } = callee as MemberExpression;
  return (
    callee.type === 'MemberExpression' &&
    object.type === 'Identifier' &&
    object.name === 'console' &&
    property.type === 'Identifier' &&
    CONSOLE.test(property.name)
  );
}

function ofMembers(node: Node, key: string, end: ParsedBody['end']): Operation | undefined {
  if (node.type !== 'MemberExpression' || !mayBeNamed(node as MemberExpression, key)) return undefined;
  const { object } = node as MemberExpression;
  // No literal but null is null.
  const value = withoutParentheses(object);
  if (value.type === 'Literal' && (value as Node & { value: unknown }).value !== null) return undefined;
  return { place: node, operands: node, at: end(node) };
}
