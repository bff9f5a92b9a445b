/**
 * How a program that is a function gets called: with what its parameters ask for. A program has no input, but models
 * write `async ({ tools }) => …` and `async (tools) => …`, and mean the tools that there are.
 */
import type { Node } from 'acorn';

/** Names of a parameter that is an object of everything there is. */
const CONTEXT_NAMES = ['context', 'ctx', 'env'];

/** Arguments as source text; '' for none. A parameter that asks for nothing that we know is undefined. */
export function argumentsFor(parameters: readonly Node[]): string {
  const values = parameters.map(argumentFor);
  while (values.at(-1) === 'undefined') values.pop();
  return values.join(', ');
}

function argumentFor(parameter: Node): string {
  const pattern =
    parameter.type === 'AssignmentPattern' ? (parameter as unknown as { left: Node }).left : parameter;
  // Both `{ tools }` and `{ getUser, listOrders }`: which names are tools is not known when a text is read.
  if (pattern.type === 'ObjectPattern') return '{ ...tools, tools, console }';
  if (pattern.type !== 'Identifier') return 'undefined';
  const { name } = pattern as unknown as { name: string };
  if (name === 'tools') return 'tools';
  return CONTEXT_NAMES.includes(name) ? '{ tools, console }' : 'undefined';
}
