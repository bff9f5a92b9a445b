/**
 * `main().catch(console.error)` and `void main()` at the end of a program: the habits of scripts, which hide from the
 * host that the program failed, or that it goes on. What is left of them is the call, whose failure is the program's.
 * A handler is left out only if it does nothing else, and only of what is a promise for certain.
 */
import type { Expression, FunctionExpression, Node, Statement } from 'acorn';
import { full } from 'acorn-walk';
import type { ParsedBody } from '../syntax/parse.js';
import { cut, type Edit } from '../text/edits.js';
import { withoutParentheses } from './nodes.js';

/** What handlers report with. */
const REPORTERS = ['console', 'process'];
const PROMISE_METHODS = ['then', 'catch', 'finally'];

/** Cuts that leave of the expression what its value and its failure come from. */
export function withoutReporting(expression: Expression, { statements, start, end }: ParsedBody): Edit[] {
  const edits: Edit[] = [];
  let node = withoutParentheses(expression) as Expression;
  for (;;) {
    if (node.type === 'AwaitExpression') {
      node = withoutParentheses(node.argument) as Expression;
    } else if (node.type === 'UnaryExpression' && node.operator === 'void' && isCall(node.argument)) {
      edits.push(cut(start(node), start(node.argument)));
      node = withoutParentheses(node.argument) as Expression;
    } else {
      const caught = promiseOfCatch(node);
      if (caught === undefined || !isPromise(caught, statements) || changesReporters(statements))
        return edits;
      edits.push(cut(end(caught), end(node)));
      node = withoutParentheses(caught) as Expression;
    }
  }
}

function isCall(node: Expression): boolean {
  const { type } = withoutParentheses(node);
  return type === 'CallExpression' || type === 'AwaitExpression';
}

/** `promise` of `promise.catch(handler)`, where the handler only reports. */
function promiseOfCatch(node: Expression): Expression | undefined {
  if (node.type !== 'CallExpression' || node.arguments.length !== 1) return undefined;
  const { callee } = node;
  const [handler] = node.arguments;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.optional) return undefined;
  if (callee.object.type === 'Super' || nameOf(callee.property) !== 'catch' || handler === undefined)
    return undefined;
  return onlyReports(withoutParentheses(handler)) ? callee.object : undefined;
}

/** `console.error`, or a function whose statements all are calls of `console.…` and `process.exit`, with plain arguments. */
function onlyReports(handler: Node): boolean {
  if (isReporter(handler)) return true;
  if (handler.type !== 'ArrowFunctionExpression' && handler.type !== 'FunctionExpression') return false;
  const { body, params } = handler as unknown as { body: Node; params: Node[] };
  if (!params.every(({ type }) => type === 'Identifier')) return false;
  if (body.type !== 'BlockStatement') return isReport(body);
  const { body: statements } = body as unknown as { body: Node[] };
  return (
    statements.length > 0 &&
    statements.every(
      (statement) =>
        statement.type === 'ExpressionStatement' &&
        isReport((statement as unknown as { expression: Node }).expression),
    )
  );
}

function isReport(node: Node): boolean {
  const call = withoutParentheses(node);
  if (call.type !== 'CallExpression') return false;
  const { callee, arguments: values } = call as unknown as { callee: Node; arguments: Node[] };
  return isReporter(callee) && values.every(hasNoEffect);
}

function isReporter(node: Node): boolean {
  if (node.type !== 'MemberExpression') return false;
  const { object, property, computed } = node as unknown as {
    object: Node;
    property: Node;
    computed: boolean;
  };
  if (computed) return false;
  return nameOf(object) === 'console' || (nameOf(object) === 'process' && nameOf(property) === 'exit');
}

/** A name, a member, a literal, or a template of these. */
function hasNoEffect(node: Node): boolean {
  const value = withoutParentheses(node) as Expression;
  switch (value.type) {
    case 'Identifier':
    case 'Literal':
      return true;
    case 'TemplateLiteral':
      return value.expressions.every(hasNoEffect);
    case 'ChainExpression':
      return hasNoEffect(value.expression);
    case 'MemberExpression':
      return hasNoEffect(value.object) && (!value.computed || hasNoEffect(value.property));
    default:
      return false;
  }
}

/** A call of an async function of the program, or what `then`, `catch` or `finally` makes of it. */
function isPromise(node: Node, statements: readonly Statement[]): boolean {
  const call = withoutParentheses(node) as Expression;
  if (call.type !== 'CallExpression') return false;
  const callee = withoutParentheses(call.callee);
  if (callee.type === 'MemberExpression') {
    const { object, property, computed } = callee;
    return !computed && PROMISE_METHODS.includes(nameOf(property) ?? '') && isPromise(object, statements);
  }
  if (callee.type === 'Identifier') return isDeclaredAsync(callee.name, statements);
  return isAsync(callee);
}

/** Declared so at the top level, and nowhere else by another declaration of that name. */
function isDeclaredAsync(name: string, statements: readonly Statement[]): boolean {
  const declared = statements.flatMap((outer) => {
    // What is exported is declared all the same.
    const statement = (outer as { declaration?: Statement | null }).declaration ?? outer;
    if (statement.type === 'FunctionDeclaration')
      return statement.id.name === name ? [isAsync(statement)] : [];
    if (statement.type !== 'VariableDeclaration') return [];
    const { kind, declarations } = statement;
    return declarations
      .filter(({ id }) => nameOf(id) === name)
      .map(({ init }) => kind === 'const' && init != null && isAsync(withoutParentheses(init)));
  });
  return declared.length > 0 && declared.every(Boolean);
}

function isAsync(node: Node): boolean {
  if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return false;
  const { async: isAsynchronous, generator } = node as FunctionExpression;
  return isAsynchronous && !generator;
}

/** The program has a `console` or `process` of its own, or puts something into ours. */
function changesReporters(statements: readonly Statement[]): boolean {
  let changes = false;
  for (const statement of statements) {
    full(statement, (node: Node, _state: unknown, type: string) => {
      const { id, left } = node as unknown as { id?: Node | null; left?: Node };
      // acorn-walk calls names that are bound, not used, by this type.
      const bound =
        type === 'VariablePattern' ? node : /^(?:Function|Class)/.test(node.type) ? id : undefined;
      if (bound && isReporterName(bound)) changes = true;
      if (node.type !== 'AssignmentExpression' || left?.type !== 'MemberExpression') return;
      if (isReporterName((left as unknown as { object: Node }).object)) changes = true;
    });
  }
  return changes;
}

function isReporterName(node: Node): boolean {
  return REPORTERS.includes(nameOf(node) ?? '');
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? (node as unknown as { name: string }).name : undefined;
}
