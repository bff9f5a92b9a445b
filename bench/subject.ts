/** What is measured: something that runs one small program with one tool call, in a fresh sandbox each time. */

/** Calls one tool and returns what it said; the answer is checked, so that nothing wrong is timed. */
export const PROGRAM = "return (await tools['math.double']({ value: 21 })).value;";
export const ANSWER = 42;

export interface Subject {
  readonly name: string;
  /** One execution, from request to answer. Rejects if the answer is wrong. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export function double({ value }: { value: number }): { value: number } {
  return { value: value * 2 };
}

export function checkAnswer(name: string, value: unknown): void {
  if (value !== ANSWER) throw new Error(`${name} answered ${JSON.stringify(value)} and not ${ANSWER}`);
}
