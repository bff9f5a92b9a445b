/** docs/receipts.md: its example is a receipt, its digests are right, and no member is left out. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { POOL_POLICY_DIGEST } from '../../src/executor/plan.js';
import { withDefaults } from '../../src/executor/process-limits.js';
import { assertReceipt, SCHEMA } from '../support/receipts.js';

const TEXT = readFileSync(new URL('../../docs/receipts.md', import.meta.url), 'utf8');
const EXAMPLE: unknown = JSON.parse(/```json\n(.*?)```/s.exec(TEXT)?.[1] ?? '');

interface Schema {
  properties?: Record<string, Schema>;
}

function names({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => [name, ...names(schema)]);
}

describe('docs/receipts.md', () => {
  it('has an example that is a receipt', () => assertReceipt(EXAMPLE));

  it('has an example of the program that it shows, under the policy of all pools', () => {
    assertReceipt(EXAMPLE);
    const program = /printf %s '(.*)' \| sha256sum/.exec(TEXT)?.[1] ?? '';
    assert.equal(EXAMPLE.codeDigest, createHash('sha256').update(program).digest('hex'));
    assert.equal(EXAMPLE.programDigest, EXAMPLE.codeDigest);
    assert.equal(EXAMPLE.policyDigest, POOL_POLICY_DIGEST);
    assert.ok(TEXT.includes(`A run of \`${program}\``));
  });

  it('explains every member, in a row of its table', () => {
    const rows = TEXT.split('\n').filter((line) => line.startsWith('| `'));
    const explained = (name: string) => rows.some((row) => new RegExp(`\\b${name}\\b`).test(row));
    // The names of namespaces are the kernel's, and need no row each.
    const { properties = {} } = SCHEMA as Schema;
    const { isolation = {}, ...others } = properties;
    const { namespaces: _namespaces, ...confinement } = isolation.properties ?? {};
    const all = [...names({ properties: others }), ...names({ properties: confinement })];
    assert.deepEqual(
      all.filter((name) => !explained(name)),
      [],
    );
  });

  it('names every limit of a command, and the defaults', () => {
    for (const name of ['wallMs', 'cpuMs', 'memoryBytes', 'processes', 'fileBytes', 'openFiles'])
      assert.match(TEXT, new RegExp(`^\\| .*\`${name}\`.* \\| none \\|`, 'm'));
    assert.deepEqual(withDefaults(), { tempBytes: 256 * 2 ** 20, tempInodes: 16_384 });
    assert.ok(TEXT.includes('| `tempBytes`, `tempInodes` | 256 MiB, 16,384 |'));
  });
});
