/**
 * `main().catch(console.error)` and `void main()` at the end of a program: the habits of scripts, which hide from the
 * host that the program failed, or that it goes on. What is left of them is the call, whose failure is the program's.
 */
import type { Expression, Node } from 'acorn';
import type { ParsedBody } from '../syntax/parse.js';
import { cut, type Edit } from '../text/edits.js';
import { withoutParentheses } from './nodes.js';

/** Cuts that leave of the expression what its value and its failure come from. */
export function withoutReporting(expression: Expression, { start, end }: ParsedBody): Edit[] {
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
      if (caught === undefined) return edits;
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

/** `console.error`, or a function whose statements all are calls of `console.…` and `process.exit`. */
function onlyReports(handler: Node): boolean {
  if (isReporter(handler)) return true;
  if (handler.type !== 'ArrowFunctionExpression' && handler.type !== 'FunctionExpression') return false;
  const { body } = handler as unknown as { body: Node };
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
  return call.type === 'CallExpression' && isReporter((call as unknown as { callee: Node }).callee);
}

function isReporter(node: Node): boolean {
  if (node.type !== 'MemberExpression') return false;
  const { object, property } = node as unknown as { object: Node; property: Node };
  return nameOf(object) === 'console' || (nameOf(object) === 'process' && nameOf(property) === 'exit');
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? (node as unknown as { name: string }).name : undefined;
}
