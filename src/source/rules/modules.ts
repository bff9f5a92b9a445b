/**
 * What a program writes as if it were a module: imports are refused, since there is nothing to import, and the word
 * `export` is taken away, since what it marks is there without it.
 */
import type { CallExpression, Node } from 'acorn';
import { full } from 'acorn-walk';
import type { ParsedBody } from '../syntax/parse.js';
import { cut, type Edit } from '../text/edits.js';
import type { Refusal } from './refusal.js';

/** Longest module name that a message repeats. */
const MAX_NAME_LENGTH = 60;
const HINT = 'There are no modules and no imports.';

/**
 * The first import there is, `import()` aside, which fails where it is called; `require(…)` too, unless the program
 * has a `require` of its own or asks whether there is one.
 */
export function refusalOfImports(body: ParsedBody, text: string): Refusal | undefined {
  for (const statement of body.statements as Node[]) {
    if ('source' in statement && statement.source) {
      const { value } = statement.source as { value: unknown };
      return { message: imported(value), hint: HINT, namesTools: true, offset: body.start(statement) };
    }
  }
  if (!/\brequire\s*\(/.test(text) || /\btypeof\s+require\b/.test(text)) return undefined;
  return refusalOfRequire(body);
}

const IMPORT_EQUALS =
  /^[ \t]*(?:export[ \t]+)?import[ \t]+(?:type[ \t]+)?[\w$]+[ \t]*=[ \t]*require[ \t]*\([ \t]*(["'])([^"'\r\n]*)\1/m;

/** `import fs = require('fs')`, which only TypeScript has, in a text that cannot be stripped. */
export function refusalOfImportEquals(text: string): Refusal | undefined {
  const match = IMPORT_EQUALS.exec(text);
  if (match === null) return undefined;
  const offset = match.index + match[0].search(/\S/);
  return { message: imported(match[2]), hint: HINT, namesTools: true, offset };
}

function refusalOfRequire(body: ParsedBody): Refusal | undefined {
  let call: CallExpression | undefined;
  let isDeclared = false;
  for (const statement of body.statements) {
    full(statement, (node: Node, _state: unknown, type: string) => {
      // acorn-walk calls names that are bound, not used, by this type.
      if (type === 'VariablePattern' && nameOf(node) === 'require') isDeclared = true;
      if (node.type === 'FunctionDeclaration' && nameOf((node as { id?: Node }).id) === 'require')
        isDeclared = true;
      if (node.type !== 'CallExpression') return;
      const candidate = node as CallExpression;
      if (nameOf(candidate.callee) !== 'require') return;
      if (call === undefined || candidate.start < call.start) call = candidate;
    });
  }
  if (call === undefined || isDeclared) return undefined;
  const [first] = call.arguments;
  const name = first?.type === 'Literal' ? first.value : undefined;
  return { message: imported(name), hint: HINT, namesTools: true, offset: body.start(call) };
}

function imported(name: unknown): string {
  if (typeof name !== 'string') return 'The program requires a module, and there are none.';
  const shown = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
  return `The program imports ${JSON.stringify(shown)}, and there are no modules.`;
}

function nameOf(node: Node | null | undefined): string | undefined {
  return node?.type === 'Identifier' ? (node as unknown as { name: string }).name : undefined;
}

/** What a program exports by default. */
export type DefaultExport =
  | { kind: 'statement'; statement: Node; declaration: Node }
  | { kind: 'name'; name: string };

export interface Exports {
  /** Take the exporting words away, that of the default export aside. */
  edits: Edit[];
  defaultExport: DefaultExport | undefined;
}

/** Undefined if nothing is exported. No `export … from`: those are imports, and refused before. */
export function readExports({ statements, start, end }: ParsedBody): Exports | undefined {
  const edits: Edit[] = [];
  let defaultExport: DefaultExport | undefined;
  for (const statement of statements as Node[]) {
    if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement as unknown as { declaration: Node };
      defaultExport = { kind: 'statement', statement, declaration };
    } else if (statement.type === 'ExportNamedDeclaration') {
      const { declaration, specifiers } = statement as unknown as NamedExport;
      if (declaration) edits.push(cut(start(statement), start(declaration)));
      else edits.push(cut(start(statement), end(statement)));
      const byDefault = specifiers.find(({ exported }) => nameOf(exported) === 'default');
      const name = nameOf(byDefault?.local);
      if (name !== undefined) defaultExport = { kind: 'name', name };
    }
  }
  return edits.length === 0 && defaultExport === undefined ? undefined : { edits, defaultExport };
}

interface NamedExport {
  declaration: Node | null;
  specifiers: { local: Node; exported: Node }[];
}
