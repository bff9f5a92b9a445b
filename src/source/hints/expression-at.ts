/** The expressions around a place in a program: what an error, whose message names nothing, was about. */
import type { CallExpression, MemberExpression, Node } from 'acorn';
import { full, fullAncestor } from 'acorn-walk';
import { withoutParentheses } from '../rules/nodes.js';
import { type ParsedBody, parseBody } from '../syntax/parse.js';
import { iteratedBy, mayBeNamed, valueOfPattern } from './operands.js';

/** Longest text that is parsed for a hint, on the worker's loop: see reader.ts. */
export const MAX_LENGTH = 4_096;
/** Longest expression that a hint repeats. */
const MAX_SHOWN = 60;

/** `id = init`, as far as hints look at it. */
export interface Declarator extends Node {
  id: { type: string; name?: string; properties?: { key?: { name?: string }; value?: { name?: string } }[] };
  init?: Node | null;
}

/** The path from the program to the innermost expression that has the place in it, outermost first. */
export class ExpressionAt {
  readonly #text: string;
  readonly #path: readonly Node[];
  readonly #start: (node: Node) => number;
  readonly #end: (node: Node) => number;
  readonly #offset: number;
  readonly #statements: readonly Node[];

  private constructor(text: string, path: readonly Node[], body: ParsedBody, offset: number) {
    this.#text = text;
    this.#path = path;
    this.#start = body.start;
    this.#end = body.end;
    this.#statements = body.statements;
    this.#offset = offset;
  }

  static find(text: string, offset: number | undefined): ExpressionAt | undefined {
    if (offset === undefined || text.length > MAX_LENGTH) return undefined;
    const parsed = parseBody(text);
    if (!parsed.ok) return undefined;
    const { statements, start, end } = parsed.value;
    const around = statements.find((statement) => start(statement) <= offset && offset <= end(statement));
    if (around === undefined) return undefined;
    let path: Node[] = [];
    fullAncestor(around, (node: Node, _state: unknown, ancestors: Node[]) => {
      if (start(node) <= offset && offset <= end(node) && ancestors.length > path.length)
        path = [...ancestors];
    });
    return new ExpressionAt(text, path, parsed.value, offset);
  }

  /**
   * The call that an error of calling is about. The engine reports it at the last place before it that has one: in the
   * callee, or, of an argument that is a function, in the arguments.
   */
  get call(): CallExpression | undefined {
    const calls = this.#path.filter(
      (node): node is CallExpression => node.type === 'CallExpression' || node.type === 'NewExpression',
    );
    const byCallee = calls.findLast(({ callee }) => this.#has(callee));
    return byCallee ?? calls.at(-1);
  }

  /** The member whose reading an error is about: the one that has, or may have, that name. */
  member(key: string): MemberExpression | undefined {
    return this.#path.findLast(
      (node): node is MemberExpression =>
        node.type === 'MemberExpression' && mayBeNamed(node as MemberExpression, key),
    );
  }

  /** What is iterated over here: by a loop, a spread, or a pattern; none if the place is not that of one. */
  get iterated(): Node | undefined {
    for (const [i, node] of [...this.#path.entries()].reverse()) {
      const parent = this.#path[i - 1];
      const iterated = node.type === 'ArrayPattern' ? valueOfPattern(node, parent) : iteratedBy(node, parent);
      if (iterated !== undefined && (node.type === 'ArrayPattern' || this.#has(iterated))) return iterated;
    }
    return undefined;
  }

  #has(node: Node): boolean {
    return this.#start(node) <= this.#offset && this.#offset <= this.#end(node);
  }

  /** The innermost node of a type. */
  innermost<N extends Node>(...types: string[]): N | undefined {
    return this.#path.findLast(({ type }) => types.includes(type)) as N | undefined;
  }

  /** What is written next to a pattern as the value that it takes apart. */
  valueOf(pattern: Node): Node | undefined {
    return valueOfPattern(pattern, this.#path[this.#path.indexOf(pattern) - 1]);
  }

  /** What a variable is declared with. */
  initialValueOf(node: Node): Node | undefined {
    if (node.type !== 'Identifier') return undefined;
    const { name } = node as unknown as { name: string };
    return this.declarators.find(({ id }) => id.type === 'Identifier' && id.name === name)?.init ?? undefined;
  }

  /** All of the program's. */
  get declarators(): Declarator[] {
    const found: Declarator[] = [];
    for (const statement of this.#statements) {
      full(statement, (node: Node) => {
        if (node.type === 'VariableDeclarator') found.push(node as Declarator);
      });
    }
    return found;
  }

  textOf(node: Node): string {
    const text = this.#text.slice(this.#start(node), this.#end(node)).replace(/\s+/g, ' ');
    return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
  }
}

/** `a.b.c` of a chain of members that begins with `tools`, without `tools`: `math.double` of `tools.math.double`. */
export function toolPathOf(node: Node): string | undefined {
  const parts: string[] = [];
  let inner: Node = withoutParentheses(node);
  while (inner.type === 'MemberExpression') {
    const { object, property, computed } = inner as MemberExpression;
    const part =
      property.type === 'Identifier' && !computed
        ? property.name
        : property.type === 'Literal' && typeof property.value === 'string'
          ? property.value
          : undefined;
    if (part === undefined) return undefined;
    parts.unshift(part);
    inner = withoutParentheses(object);
  }
  return inner.type === 'Identifier' && (inner as { name?: string }).name === 'tools' && parts.length > 0
    ? parts.join('.')
    : undefined;
}
