/** docs/errors.md: what the pool says about the wrong programs, made by running them. */
import { createPool, type RunError, type RunResult } from 'wardenpool';
import { TOOLS, WRONG_PROGRAMS, type WrongProgram } from './wrong-programs.js';

const HEAD = `# Errors

What \`run.error\` says about programs that are wrong: each of these programs was run, and this is what came. The position is in
the text that was submitted, and is shown with its line. Made by \`npm run docs:errors\`; a test compares it with what comes now.
`;

/** Runs every program, and gives the whole document as Markdown. */
export async function errorsDocument(): Promise<string> {
  const pool = await createPool();
  try {
    const parts = [HEAD];
    for (const { title, programs } of WRONG_PROGRAMS) {
      const sections = programs.map(async (program) =>
        section(program, await pool.run(program.code, TOOLS, program.options)),
      );
      parts.push(`## ${title}\n`, ...(await Promise.all(sections)));
    }
    return parts.join('\n');
  } finally {
    await pool.close();
  }
}

function section({ title, code, shown = code }: WrongProgram, run: RunResult): string {
  if (run.ok)
    throw new Error(`${title}: this program was to fail, and returned ${JSON.stringify(run.value)}`);
  const rows = rowsOf(run.error).map(([member, text]) => `| \`${member}\` | ${cell(text)} |`);
  return `### ${title}\n\n\`\`\`\`js\n${shown}\n\`\`\`\`\n\n| | |\n|---|---|\n${rows.join('\n')}\n`;
}

function rowsOf({ kind, name, code, message, path, position, hint }: RunError): [string, string][] {
  const place = position && `${position.line}:${position.column} \`${position.sourceLine}\``;
  const rows: [string, string | undefined][] = [
    ['kind', kind],
    ['name', name],
    ['code', code],
    ['message', message],
    ['path', path],
    ['position', place],
    ['hint', hint],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}
