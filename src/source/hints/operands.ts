/** What an operation of a program works on. */
import type {
  AssignmentExpression,
  ForOfStatement,
  MemberExpression,
  Node,
  SpreadElement,
  VariableDeclarator,
  YieldExpression,
} from 'acorn';

/** What a spread, a loop or a delegation goes through. */
export function iteratedBy(node: Node, parent: Node | undefined): Node | undefined {
  if (node.type === 'ForOfStatement') return (node as ForOfStatement).right;
  if (node.type === 'SpreadElement' && parent?.type !== 'ObjectExpression') {
    return (node as SpreadElement).argument;
  }
  const { delegate, argument } = node as YieldExpression;
  return node.type === 'YieldExpression' && delegate ? (argument ?? undefined) : undefined;
}

/** What a pattern takes apart, where it is written next to it. */
export function valueOfPattern(pattern: Node, parent: Node | undefined): Node | undefined {
  if (parent?.type === 'VariableDeclarator') {
    const { id, init } = parent as VariableDeclarator;
    return id === pattern ? (init ?? undefined) : undefined;
  }
  if (parent?.type !== 'AssignmentExpression') return undefined;
  const { left, right } = parent as AssignmentExpression;
  return left === pattern ? right : undefined;
}

/** `a.key` and `a['key']`, and `a[name]`, of which one cannot know. */
export function mayBeNamed({ property, computed }: MemberExpression, key: string): boolean {
  if (property.type === 'Literal') return String(property.value) === key;
  return computed || (property.type === 'Identifier' && property.name === key);
}
