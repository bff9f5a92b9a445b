/** What came of each attack in each place, printed when all have been tried. */

export class Matrix {
  readonly #columns: string[] = [];
  readonly #rows = new Map<string, string[]>();

  addColumn(title: string): void {
    this.#columns.push(title);
  }

  /** FAILED in the last column, until the returned function says something else. */
  try(row: string): (verdict: string) => void {
    const cells = this.#rows.get(row) ?? [];
    this.#rows.set(row, cells);
    const index = this.#columns.length - 1;
    cells[index] = 'FAILED';
    return (verdict) => {
      cells[index] = verdict;
    };
  }

  print(): void {
    const widest = Math.max(0, ...[...this.#rows.keys()].map(({ length }) => length));
    console.log(`\n${'attack'.padEnd(widest)}  ${this.#columns.join('  ')}`);
    for (const [name, cells] of this.#rows) {
      const columns = this.#columns.map((title, index) => (cells[index] ?? '').padEnd(title.length));
      console.log(`${name.padEnd(widest)}  ${columns.join('  ')}`.trimEnd());
    }
  }
}
