// docs/faults.md names the test of each fault. That test is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docs/faults.md', () => {
  it('names tests that exist', () => {
    const rows = read('docs/faults.md')
      .split('\n')
      .filter((line) => line.startsWith('| ') && line.includes('`test/'));
    assert.ok(rows.length > 30);
    for (const row of rows) {
      const [, file = '', title = ''] = /`(test\/[^`]+)`: (.+) \|$/.exec(row) ?? [];
      // Titles that are put together have their parts in the source: `…` stands for what is filled in.
      const source = read(file).replaceAll(/\s+/g, ' ');
      for (const part of title.split('…').map((each) => each.trim()))
        assert.ok(source.includes(part), `${file} has no test "${title}"`);
    }
  });
});
