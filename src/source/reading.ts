/**
 * Reads one submitted text: what of it is the program, in which language, and how it is made to run. Pure and
 * synchronous; what it costs is for the reader to care about. What is not understood is passed on unchanged, so that the
 * engine's own message is shown.
 */
import type { ExpressionStatement, Node, TemplateLiteral } from 'acorn';
import { full } from 'acorn-walk';
import { ruleOfBody, ruleOfExpression } from './rules/body-rules.js';
import { BEGINS_WITH_FENCE, fencedProgram, HAS_FENCE } from './rules/fences.js';
import { refusalOfImportEquals, refusalOfImports } from './rules/modules.js';
import { EMPTY, refusalOfExpression, refusalOfStatements } from './rules/no-program.js';
import { withoutParentheses } from './rules/nodes.js';
import type { Refusal } from './rules/refusal.js';
import type { BodyRule, Rule } from './rules/rule.js';
import { mightBeTypeScript, refusalOfTypeScript } from './rules/typescript.js';
import { type ParsedBody, parseBody, parseExpression, type SyntaxProblem } from './syntax/parse.js';
import { isCostlyToStrip, type StripTypes } from './syntax/strip-types.js';
import {
  applyEdits,
  composeSegments,
  cut,
  type EditedText,
  originalOffset,
  type Segment,
} from './text/edits.js';

export interface Submission {
  text: string;
  /** `auto`: JavaScript; TypeScript only if that does not parse. */
  language: 'auto' | 'js' | 'ts';
  /** False: the text is run as it is; of TypeScript, only the types are taken out. */
  normalize: boolean;
}

/** What a text was read as. Plain data: it crosses between threads. */
export interface Reading {
  language: 'js' | 'ts';
  rule: Rule;
  /** The body of the function that runs. */
  text: string;
  /** Where the characters of `text` come from; absent: both texts have the same offsets. */
  segments?: Segment[];
  /** Why nothing runs. Its offset is one of the submitted text. */
  refusal?: Refusal;
}

/**
 * A generic call without spaces, `f<T>(x)` or `tools['a']<{ id: number }>(x)`, which JavaScript reads as comparisons. The
 * bound keeps it linear.
 */
const GENERIC_CALL = /[\w$\]]<[\w$[{"'][\w$.,;|&?:{}[\]<>\s'"-]{0,200}>\(/;
/**
 * What may be an expression that is no statement: an object, a function without a name; behind comments. Each way to go on
 * begins with another character and ends in one place only: a banner of slashes must not be taken for many comments.
 */
const MAY_BE_EXPRESSION =
  /^(?:\s|\/\/[^\r\n]*(?=[\r\n]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:\{|(?:async\s+)?function\b|class\b)/;
/** A text in inline code marks is a program, not its text, if it has one of these. */
const IS_CODE = /\b(?:return|await|tools)\b/;

/** Undefined: types would have to be stripped, and no `strip` was given. */
export function read(submission: Submission, strip: StripTypes | undefined): Reading | undefined {
  const { text, language, normalize } = submission;
  try {
    return normalize ? new TextReader(language, strip).read(text) : readVerbatim(submission, strip);
  } catch (error) {
    if (error === NEEDS_STRIPPER) return undefined;
    // Nesting that was shallow enough for the parser, and is too deep for a rule.
    if (error instanceof RangeError) return unread(submission);
    throw error;
  }
}

/** The reading of a text that nobody looked at. */
export function unread({ text, language, normalize }: Submission): Reading {
  const reading: Reading = {
    language: language === 'ts' ? 'ts' : 'js',
    rule: normalize ? 'unparsed' : 'verbatim',
    text,
  };
  return isBlank(text) ? { ...reading, refusal: EMPTY } : reading;
}

const NEEDS_STRIPPER = Symbol('needs the stripper');

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function readVerbatim(submission: Submission, strip: StripTypes | undefined): Reading {
  const { text, language } = submission;
  if (language !== 'ts' || isBlank(text) || isCostlyToStrip(text)) return unread(submission);
  if (strip === undefined) throw NEEDS_STRIPPER;
  const stripped = strip(text);
  if (stripped.ok) return { language, rule: 'verbatim', text: stripped.text };
  return {
    language,
    rule: 'verbatim',
    text,
    refusal: refusalOfTypeScript(stripped.problem, stripped.isUnsupported, text),
  };
}

class TextReader {
  readonly #language: Submission['language'];
  readonly #strip: StripTypes | undefined;

  constructor(language: Submission['language'], strip: StripTypes | undefined) {
    this.#language = language;
    this.#strip = strip;
  }

  read(text: string): Reading {
    const language = this.#language;
    const hasFence = HAS_FENCE.test(text);
    if (!hasFence) return this.#readCode(text, language) ?? this.#readOther(text, language);
    const whole = BEGINS_WITH_FENCE.test(text) ? undefined : this.#readCode(text, language);
    if (whole !== undefined) return whole;
    const fenced = fencedProgram(text);
    switch (fenced.kind) {
      case 'none':
        return this.#readOther(text, language);
      case 'refused':
        return { language: 'js', rule: 'unparsed', text, refusal: fenced.refusal };
      case 'program': {
        const content = applyEdits(text, fenced.edits);
        // What is marked as TypeScript is read so where a generic call could be taken for comparisons.
        const isGeneric = language === 'auto' && fenced.isTypeScript && content.text.includes('<');
        return inFence(this.#readEdited(content, isGeneric ? 'ts' : language));
      }
    }
  }

  /** What runs of a text that edits have cut out of another. */
  #readEdited({ text, segments }: EditedText, language: Submission['language']): Reading {
    const inner = this.#readCode(text, language) ?? this.#readOther(text, language);
    const composed = composeSegments(segments, inner.segments);
    const { segments: _inner, refusal, ...reading } = inner;
    const offset = refusal?.offset;
    return {
      ...reading,
      ...(composed !== undefined && { segments: composed }),
      ...(refusal !== undefined && {
        refusal: { ...refusal, ...(offset !== undefined && { offset: originalOffset(segments, offset) }) },
      }),
    };
  }

  /** As JavaScript; undefined if it is none. */
  #readCode(text: string, language: Submission['language']): Reading | undefined {
    if (isBlank(text)) return { language: 'js', rule: 'statements', text, refusal: EMPTY };
    if (language === 'ts') return undefined;
    const parsed = parseBody(text);
    if (!parsed.ok || hasFenceInCode(parsed.value, text)) return undefined;
    if (language === 'auto' && GENERIC_CALL.test(text) && !isCostlyToStrip(text)) {
      const stripped = this.#stripper()(text);
      if (stripped.ok && stripped.text !== text) return this.#readStripped(stripped.text);
    }
    return this.#readBody(parsed.value, text, 'js');
  }

  /** What is no statements of JavaScript: an expression that is no statement, a script, TypeScript, or nothing known. */
  #readOther(text: string, language: Submission['language']): Reading {
    const hashbang = /^\uFEFF?#!.*/.exec(text);
    if (hashbang !== null) return this.#readEdited(applyEdits(text, [cut(0, hashbang[0].length)]), language);
    if (language === 'ts') return this.#readTypeScript(text, undefined);
    const expression = this.#readExpression(text, 'js');
    if (expression !== undefined) return expression;
    const parsed = parseBody(text);
    const problem = parsed.ok ? undefined : parsed.problem;
    if (language === 'auto' && problem !== undefined && mightBeTypeScript(text, problem.offset)) {
      return this.#readTypeScript(text, problem);
    }
    return { language: 'js', rule: 'unparsed', text };
  }

  /** `problem`: what is wrong with it as JavaScript, if that was tried. */
  #readTypeScript(text: string, problem: SyntaxProblem | undefined): Reading {
    if (isCostlyToStrip(text)) {
      return { language: this.#language === 'ts' ? 'ts' : 'js', rule: 'unparsed', text };
    }
    const stripped = this.#stripper()(text);
    if (stripped.ok) return this.#readStripped(stripped.text);
    const refusedImport = refusalOfImportEquals(text);
    if (refusedImport !== undefined)
      return { language: 'ts', rule: 'unparsed', text, refusal: refusedImport };
    // Of two parsers that refuse a text, the one that comes further has understood it better.
    if (problem === undefined || stripped.isUnsupported || stripped.problem.offset > problem.offset) {
      const refusal = refusalOfTypeScript(stripped.problem, stripped.isUnsupported, text);
      return { language: 'ts', rule: 'unparsed', text, refusal };
    }
    return { language: 'js', rule: 'unparsed', text };
  }

  #readStripped(text: string): Reading {
    const parsed = parseBody(text);
    if (parsed.ok) return this.#readBody(parsed.value, text, 'ts');
    return this.#readExpression(text, 'ts') ?? { language: 'ts', rule: 'unparsed', text };
  }

  #stripper(): StripTypes {
    if (this.#strip === undefined) throw NEEDS_STRIPPER;
    return this.#strip;
  }

  #readExpression(text: string, language: 'js' | 'ts'): Reading | undefined {
    if (!MAY_BE_EXPRESSION.test(text)) return undefined;
    const end = /;\s*$/.exec(text)?.index ?? text.length;
    const parsed = parseExpression(text.slice(0, end));
    if (!parsed.ok) return undefined;
    const [statement] = parsed.value.statements as [ExpressionStatement];
    const refusal = refusalOfExpression(statement.expression);
    if (refusal !== undefined) return { language, rule: 'expression', text, refusal };
    const { rule, edits } = ruleOfExpression(statement, parsed.value);
    return { language, rule, ...applyEdits(text, edits) };
  }

  #readBody(body: ParsedBody, text: string, language: 'js' | 'ts'): Reading {
    const [statement, second] = body.statements.filter(({ type }) => type !== 'EmptyStatement');
    if (second === undefined) {
      // `{ a: 1 }` is a block to JavaScript, and an object to everybody else.
      const object = statement?.type === 'BlockStatement' ? this.#readExpression(text, language) : undefined;
      if (object !== undefined) return object;
      const inlineCode = statement?.type === 'ExpressionStatement' && inlineCodeOf(statement, body, text);
      if (inlineCode) return inFence(this.#readEdited(inlineCode, this.#language));
    }
    const refusal =
      refusalOfStatements(body) ??
      refusalOfImports(body, text) ??
      (statement?.type === 'ExpressionStatement' && second === undefined
        ? refusalOfExpression(statement.expression)
        : undefined);
    if (refusal !== undefined) return { language, rule: 'statements', text, refusal };
    const { rule, edits } = ruleOfBody(body, text);
    return { language, rule, ...applyEdits(text, edits) };
  }
}

function inFence(reading: Reading): Reading {
  return { ...reading, rule: `fence+${withoutFence(reading.rule)}` };
}

function withoutFence(rule: Rule): BodyRule {
  return rule.replace(/^fence\+/, '') as BodyRule;
}

/**
 * The marks of a fence parse too, as empty templates that are called with each other. No code has three such marks at
 * the beginning of a line; an empty template elsewhere, as in html``, is one.
 */
function hasFenceInCode({ statements, start }: ParsedBody, text: string): boolean {
  if (!HAS_FENCE.test(text)) return false;
  let found = false;
  for (const statement of statements) {
    full(statement, (node: Node) => {
      if (node.type !== 'TaggedTemplateExpression') return;
      const { quasi } = node as unknown as { quasi: Node };
      if (quasi.end - quasi.start === 2 && isFenceMark(text, start(quasi))) found = true;
    });
  }
  return found;
}

/** `offset`: of two back quotes. */
function isFenceMark(text: string, offset: number): boolean {
  let start = offset;
  while (text[start - 1] === '`') start--;
  let end = offset + 2;
  while (text[end] === '`') end++;
  if (end - start < 3) return false;
  while (start > 0 && /[^\S\r\n]/.test(text.charAt(start - 1))) start--;
  return start === 0 || /[\r\n]/.test(text.charAt(start - 1));
}

/** The program in a text that is one template literal without substitutions, as Markdown marks code in a line. */
function inlineCodeOf(
  { expression }: ExpressionStatement,
  body: ParsedBody,
  text: string,
): EditedText | undefined {
  const literal = withoutParentheses(expression) as Node;
  if (literal.type !== 'TemplateLiteral') return undefined;
  const { quasis } = literal as TemplateLiteral;
  const [quasi, second] = quasis;
  const content = quasi?.value.cooked;
  if (second !== undefined || !content || quasi.value.raw !== content || !IS_CODE.test(content))
    return undefined;
  if (!parseBody(content).ok) return undefined;
  return applyEdits(text, [cut(0, body.start(literal) + 1), cut(body.end(literal) - 1, text.length)]);
}
