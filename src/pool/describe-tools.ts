/** describeTools(): its options, and its errors. */
import { z } from 'zod';
import { toolDeclarations } from '../tools/declarations.js';
import type { ToolSet } from '../tools/tool.js';
import { checkOptions } from './option-problems.js';
import { readingTools, readTools } from './run-request.js';

export interface DescribeToolsOptions {
  /** What the description is written in. Default: 'typescript'. */
  style?: 'typescript' | undefined;
  /** Longest text, bytes of UTF-8, from 512. Tools that do not fit are left out, and a line says which. Default: no bound. */
  maxBytes?: number | undefined;
  /** As in the options of run(): with 'inspect', only the tools whose effect is 'read' are declared. Default: 'apply'. */
  mode?: 'inspect' | 'apply' | undefined;
}

const MESSAGE = 'must be an integer from 512 upward';
const schema = z.strictObject({
  style: z.enum(['typescript'], "must be 'typescript'").optional(),
  maxBytes: z.int(MESSAGE).min(512, MESSAGE).optional(),
  mode: z.enum(['inspect', 'apply'], "must be 'inspect' or 'apply'").optional(),
});
const NAMES = { owner: 'describeTools()', known: Object.keys(schema.shape) };

/**
 * Declares `tools` as TypeScript, for a prompt: their names, descriptions, and the types of their schemas. JSON Schemas are
 * read as they are, Standard Schemas by the JSON Schema that they give of themselves (zod from 4.2, arktype;
 * valibot by its toStandardJsonSchema()). The text is the same for the same tools, and type-checks. Throws
 * InvalidToolError for what run() would refuse, and InvalidOptionError.
 */
export function describeTools(tools: ToolSet, options: DescribeToolsOptions = {}): string {
  const { maxBytes = Number.POSITIVE_INFINITY, mode } = checkOptions(schema, options, NAMES);
  const all = readTools(tools);
  return toolDeclarations(mode === 'inspect' ? readingTools(all) : all, maxBytes);
}
