/** The subjects that the report treats apart from others, by the names they have in the results. */

export const OURS = 'wardenpool';
export const FLOOR = 'floor';
export const BUBBLEWRAP = 'bwrap + code-runner';
export const NATIVE_QUICKJS = 'native QuickJS';

/** The figures that a reader looks for first: what a model's program mostly does, on a busy machine. */
export const HEADLINE = { workload: '1 call', inFlight: 16 };

/** Whether it is the subject itself, or a variant of it such as "wardenpool, strict". */
export function isOrVaries(subject: string, base: string): boolean {
  return subject === base || subject.startsWith(`${base}, `);
}
