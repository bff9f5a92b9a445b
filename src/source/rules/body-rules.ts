/**
 * Which rule a parsed program falls under, and the edits that make it run so. Only a text that was parsed as a whole is
 * edited, and only at the ends of its nodes, so that no edit can change what the rest of it means.
 */
import type { Expression, ExpressionStatement, Node, Statement } from 'acorn';
import { full } from 'acorn-walk';
import type { ParsedBody } from '../syntax/parse.js';
import { cut, type Edit, insertion } from '../text/edits.js';
import { argumentsFor } from './calls.js';
import { type DefaultExport, readExports } from './modules.js';
import {
  declaredNames,
  functionOf,
  hasReturn,
  type NamedFunction,
  namedFunction,
  withoutParentheses,
} from './nodes.js';
import { withoutReporting } from './reported-failures.js';
import type { BodyRule } from './rule.js';

export interface RuledBody {
  rule: BodyRule;
  edits: Edit[];
}

/** Functions that a program consists of, if it has one of these and never calls it. */
const MAIN_NAMES = ['main', 'run', 'execute', 'handler', 'program'];
/** What is exported by default and has no name gets this one, where it is not the last statement. */
const DEFAULT_NAME = '__default_export__';
/**
 * The engine gives places to statements that are expressions, and none to `return`: without one in front of it, an error
 * in `return (null.x)` has no place, or that of the statement before.
 */
const PLACE = '0;';

/** The rule for these statements. `text`: what they were parsed from. */
export function ruleOfBody(body: ParsedBody, text: string): RuledBody {
  const exported = readExports(body);
  const statements = exported === undefined ? body.statements : withoutExports(body.statements);
  const edits = exported?.edits ?? [];
  if (hasReturn(statements)) {
    // A default export beside a return statement is nothing that we understand.
    if (exported?.defaultExport?.kind === 'statement') return { rule: 'unparsed', edits: [] };
    return { rule: 'statements', edits };
  }
  if (exported?.defaultExport !== undefined) {
    return {
      rule: 'default-export',
      edits: [...edits, ...defaultExport(exported.defaultExport, body, statements, text)],
    };
  }
  const meaningful = statements.filter(({ type }) => type !== 'EmptyStatement');
  const [only, second] = meaningful;
  if (only !== undefined && second === undefined) {
    const single = singleStatement(only, body, text);
    if (single !== undefined) return { ...single, edits: [...edits, ...single.edits] };
  }
  const main = uncalledMain(meaningful, text);
  if (main !== undefined) return { rule: 'function', edits: [...edits, callAtEnd(main, text)] };
  const last = meaningful.findLast(({ type }) => type !== 'FunctionDeclaration');
  if (last?.type !== 'ExpressionStatement') return { rule: 'statements', edits };
  const moduleExports = assignedToExports(last, meaningful);
  if (moduleExports !== undefined) {
    const { start } = body;
    const value = returned(moduleExports, body);
    return { rule: 'default-export', edits: [...edits, cut(start(last), start(moduleExports)), ...value] };
  }
  return { rule: 'last-expression', edits: [...edits, ...returned(last.expression, body)] };
}

/** Edits that make a body of one expression, in the parser's own parentheses or not, return its value. */
export function ruleOfExpression(statement: ExpressionStatement, body: ParsedBody): RuledBody {
  const expression = withoutParentheses(statement.expression) as Expression;
  return { rule: functionOf(expression) ? 'function' : 'expression', edits: returned(expression, body) };
}

function singleStatement(statement: Statement, body: ParsedBody, text: string): RuledBody | undefined {
  if (statement.type === 'ExpressionStatement') {
    if (assignedToExports(statement, [statement]) !== undefined) return undefined;
    const rule = functionOf(statement.expression) ? 'function' : 'expression';
    return { rule, edits: returned(statement.expression, body) };
  }
  const named = namedFunction(statement);
  return named === undefined ? undefined : { rule: 'function', edits: [callAtEnd(named, text)] };
}

/** `return (…)` around an expression; a function is called, and its failure is awaited here, so that its stack is kept. */
function returned(expression: Expression, body: ParsedBody): Edit[] {
  const { start, end } = body;
  const called = functionOf(expression);
  if (called !== undefined) {
    return [
      insertion(start(expression), `${PLACE}return await (`),
      insertion(end(expression), `)(${argumentsFor(called.params)})`),
    ];
  }
  return [
    insertion(start(expression), `${PLACE}return (`),
    ...withoutReporting(expression, body),
    insertion(end(expression), ')'),
  ];
}

/** In a line of its own: the text may end with a comment. */
function callAtEnd({ name, parameters }: Pick<NamedFunction, 'name' | 'parameters'>, text: string): Edit {
  return insertion(text.length, `\nreturn await ${name}(${argumentsFor(parameters)});`);
}

/** A function with the name of a main function that nothing in the program uses: it would be there in vain. */
function uncalledMain(statements: readonly Statement[], text: string): NamedFunction | undefined {
  for (const name of MAIN_NAMES) {
    if (!text.includes(name)) continue;
    const found = statements.map(namedFunction).find((named) => named?.name === name);
    if (found !== undefined && !isUsed(name, statements)) return found;
  }
  return undefined;
}

function isUsed(name: string, statements: readonly Statement[]): boolean {
  let used = false;
  for (const statement of statements) {
    full(statement, (node: Node, _state: unknown, type: string) => {
      if (type === 'Identifier' && (node as unknown as { name: string }).name === name) used = true;
    });
  }
  return used;
}

function withoutExports(statements: readonly Statement[]): Statement[] {
  return (statements as readonly Node[]).flatMap((statement) => {
    if (statement.type === 'ExportDefaultDeclaration') return [];
    if (statement.type !== 'ExportNamedDeclaration') return [statement as Statement];
    const { declaration } = statement as unknown as { declaration: Statement | null };
    return declaration ? [declaration] : [];
  });
}

function defaultExport(
  exported: DefaultExport,
  body: ParsedBody,
  statements: readonly Statement[],
  text: string,
): Edit[] {
  if (exported.kind === 'name') {
    const { name } = exported;
    const named = statements.map(namedFunction).find((candidate) => candidate?.name === name);
    return [named === undefined ? insertion(text.length, `\nreturn ${name};`) : callAtEnd(named, text)];
  }
  const { statement, declaration } = exported;
  const { start, end } = body;
  const word = cut(start(statement), start(declaration));
  if (declaration.type === 'FunctionDeclaration') {
    const { id, params } = declaration as unknown as { id: { name: string } | null; params: Node[] };
    if (id !== null) return [word, callAtEnd({ name: id.name, parameters: params }, text)];
    return isLast(statement, body)
      ? [
          word,
          insertion(start(declaration), `${PLACE}return await (`),
          insertion(end(declaration), `)(${argumentsFor(params)});`),
        ]
      : [...bound(word, declaration, body), callAtEnd({ name: DEFAULT_NAME, parameters: params }, text)];
  }
  const expression = declaration as Expression;
  if (isLast(statement, body)) return [word, ...returned(expression, body)];
  const parameters = functionOf(expression)?.params;
  return [
    ...bound(word, declaration, body),
    parameters === undefined
      ? insertion(text.length, `\nreturn ${DEFAULT_NAME};`)
      : callAtEnd({ name: DEFAULT_NAME, parameters }, text),
  ];
}

function bound(word: Edit, declaration: Node, { start, end }: ParsedBody): Edit[] {
  return [
    word,
    insertion(start(declaration), `const ${DEFAULT_NAME} = (`),
    insertion(end(declaration), ');'),
  ];
}

/** Nothing that runs comes behind it. */
function isLast(statement: Node, { statements }: ParsedBody): boolean {
  return (
    (statements as readonly Node[]).findLast(
      ({ type }) => type !== 'FunctionDeclaration' && type !== 'EmptyStatement',
    ) === statement
  );
}

/** `value` of `module.exports = value`, if `module` is not the program's own. */
function assignedToExports(
  { expression }: ExpressionStatement,
  statements: readonly Statement[],
): Expression | undefined {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return undefined;
  const { left, right } = expression;
  if (left.type !== 'MemberExpression' || left.computed || left.object.type !== 'Identifier')
    return undefined;
  const path = `${left.object.name}.${left.property.type === 'Identifier' ? left.property.name : ''}`;
  if (path !== 'module.exports' && path !== 'exports.default') return undefined;
  return declaredNames(statements).has(left.object.name) ? undefined : right;
}
