/** Questions about syntax trees that several rules ask. Must not know the rules. */
import type {
  ArrowFunctionExpression,
  Expression,
  FunctionDeclaration,
  FunctionExpression,
  Node,
  Statement,
  VariableDeclarator,
} from 'acorn';

/** The expression without the parentheses around it. */
export function withoutParentheses<N extends Node>(node: N): N | Expression {
  let inner: Node = node;
  while (inner.type === 'ParenthesizedExpression')
    inner = (inner as unknown as { expression: Node }).expression;
  return inner as N | Expression;
}

/** The function that an expression is, parentheses aside. A generator is none: its call only makes an iterator. */
export function functionOf(node: Node): FunctionExpression | ArrowFunctionExpression | undefined {
  const inner = withoutParentheses(node) as Expression;
  if (inner.type === 'ArrowFunctionExpression') return inner;
  return inner.type === 'FunctionExpression' && !inner.generator ? inner : undefined;
}

/** True if one of these statements returns from the program: functions inside of them are not looked into. */
export function hasReturn(statements: readonly (Statement | null | undefined)[]): boolean {
  return statements.some((statement) => {
    switch (statement?.type) {
      case 'ReturnStatement':
        return true;
      case 'BlockStatement':
        return hasReturn(statement.body);
      case 'IfStatement':
        return hasReturn([statement.consequent, statement.alternate]);
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'LabeledStatement':
      case 'WithStatement':
        return hasReturn([statement.body]);
      case 'TryStatement':
        return hasReturn([statement.block, statement.handler?.body, statement.finalizer]);
      case 'SwitchStatement':
        return statement.cases.some(({ consequent }) => hasReturn(consequent));
      default:
        return false;
    }
  });
}

/** A statement that makes one function and does nothing else: `function f() {}`, `const f = () => {}`. */
export interface NamedFunction {
  name: string;
  node: FunctionDeclaration | VariableDeclarator;
  parameters: readonly Node[];
}

export function namedFunction(statement: Statement | undefined): NamedFunction | undefined {
  if (statement?.type === 'FunctionDeclaration' && !statement.generator) {
    return { name: statement.id.name, node: statement, parameters: statement.params };
  }
  if (statement?.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return undefined;
  const [declarator] = statement.declarations;
  if (declarator?.id.type !== 'Identifier' || !declarator.init) return undefined;
  const value = functionOf(declarator.init);
  return value && { name: declarator.id.name, node: declarator, parameters: value.params };
}

/** The names that a top-level statement declares, as far as they are plain. */
export function declaredNames(statements: readonly Statement[]): Set<string> {
  const names = new Set<string>();
  for (const statement of statements) {
    if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') {
      names.add(statement.id.name);
    } else if (statement.type === 'VariableDeclaration') {
      for (const { id } of statement.declarations) if (id.type === 'Identifier') names.add(id.name);
    }
  }
  return names;
}
