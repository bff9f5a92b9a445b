/** describeTools(): its options, and its errors. */
import { z } from 'zod';
import { toolDeclarations } from '../tools/declarations.js';
import type { ToolSet } from '../tools/tool.js';
import { checkOptions } from './option-problems.js';
import { readTools } from './run-request.js';

export interface DescribeToolsOptions {
  /** What the description is written in. Default: 'typescript'. */
  style?: 'typescript' | undefined;
  /** Longest text, bytes of UTF-8, from 512. Tools that do not fit are left out, and a line says so. Default: no bound. */
  maxBytes?: number | undefined;
}

const MESSAGE = 'must be an integer from 512 upward';
const schema = z.strictObject({
  style: z.enum(['typescript'], "must be 'typescript'").optional(),
  maxBytes: z.int(MESSAGE).min(512, MESSAGE).optional(),
});
const NAMES = { owner: 'describeTools()', known: Object.keys(schema.shape) };

/**
 * Declares `tools` as TypeScript, for a prompt: their names, descriptions, and the types of their schemas. JSON Schemas are
 * read as they are, Standard Schemas by the JSON Schema that they give of themselves (zod from 4.2, arktype;
 * valibot by its toStandardJsonSchema()). The text is the same for the same tools, and type-checks. Throws
 * InvalidToolError for what run() would refuse, and InvalidOptionError.
 */
export function describeTools(tools: ToolSet, options: DescribeToolsOptions = {}): string {
  const { maxBytes = Number.POSITIVE_INFINITY } = checkOptions(schema, options, NAMES);
  return toolDeclarations(readTools(tools), maxBytes);
}
