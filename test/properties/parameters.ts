/**
 * How the properties are tried: with the same values every time, unless WARDENPOOL_PROPERTY_SEED (a whole number) asks for
 * others. WARDENPOOL_PROPERTY_RUNS multiplies how many.
 */
const FIXED_SEED = 20_260_101;

function fromEnvironment(name: string, otherwise: number): number {
  const text = process.env[name];
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, not '${text}'`);
  return value;
}

export const seed = fromEnvironment('WARDENPOOL_PROPERTY_SEED', FIXED_SEED);

/** For fc.assert and fc.sample. */
export function parameters(runs: number): { numRuns: number; seed: number } {
  return { seed, numRuns: runs * fromEnvironment('WARDENPOOL_PROPERTY_RUNS', 1) };
}
