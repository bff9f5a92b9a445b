/** Tables that read well on a terminal, and are Markdown. */

/** The first row is the head; every column but the first is of figures, and so stands to the right. */
export function markdownTable(rows: string[][]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    `| ${widths.map((width, column) => align(row[column] ?? '', width, column)).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.slice(1).map(line)].join('\n');
}

function align(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
