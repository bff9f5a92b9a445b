/** `pool.run`, as a user would call it. */
import { createPool } from 'wardenpool';
import { checkAnswer, double, PROGRAM, type Subject } from './subject.js';

export async function wardenpoolSubject(): Promise<Subject> {
  const pool = await createPool();
  const tools = { 'math.double': double };
  return {
    name: 'wardenpool',
    async run() {
      const result = await pool.run(PROGRAM, tools);
      checkAnswer('wardenpool', result.ok ? result.value : result.error);
    },
    close: () => pool.close(),
  };
}
