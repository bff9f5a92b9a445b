/** The published schema says what the type says, and refuses what is no receipt. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Executor } from '../../src/executor/executor.js';
import type { Receipt } from '../../src/executor/receipt.js';
import { assertReceipt, receiptProblems, SCHEMA } from '../support/receipts.js';
import { shapeOfSchema, shapeOfType } from '../support/type-shape.js';
import { CEILINGS, EXECUTE, run } from './sandboxes.js';

const TYPE = fileURLToPath(new URL('../../src/executor/receipt.ts', import.meta.url));

type Json = { [member: string]: unknown };

/** Path of each member of `value`, and of each of its members. */
function paths(value: unknown, above: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [...above, name],
    ...paths(member, [...above, name]),
  ]);
}

/** A copy in which `change` was done to the object that has the last name of `path`. */
function changed(receipt: Receipt, path: string[], change: (parent: Json, name: string) => void): unknown {
  const copy = structuredClone(receipt) as unknown as Json;
  const parent = path.slice(0, -1).reduce<Json>((object, name) => object[name] as Json, copy);
  change(parent, path.at(-1) ?? '');
  return copy;
}

describe('executor: the schema of receipts', () => {
  let receipt: Receipt;
  before(async () => {
    const executor = await Executor.open({
      isolation: 'default',
      backend: 'auto',
      warm: { min: 0, max: 0 },
      ceilings: CEILINGS,
    });
    const sandbox = await executor.acquire();
    ({ receipt } = (await run(sandbox, () => sandbox.write(EXECUTE))).end);
    await executor.close();
  });

  /** As a command has it, with everything that may be there. */
  const ofCommand = (): Receipt => {
    const { codeDigest: _code, programDigest: _program, ...rest } = receipt;
    return {
      ...rest,
      versions: { wardenpool: '1.0.0' },
      isolation: {
        ...receipt.isolation,
        namespaces: { ...receipt.isolation.namespaces, network: 'host' },
        seccomp: { mode: 'none' },
        landlock: null,
        cgroup: 'v1',
        procfs: 'private',
      },
      network: { mode: 'direct' },
      limits: { memoryBytes: 1 },
      limitedBy: { memoryBytes: 'cgroup-v1' },
      io: { ...receipt.io, mode: 'isolated-duplex' },
      usage: {
        ...receipt.usage,
        cgroup: { cpuMs: 1.5, peakMemoryBytes: 1, peakProcesses: 1, oomKills: 0 },
      },
    };
  };

  it('has the members of the type, of the same types, and as optional', () => {
    assert.deepEqual(shapeOfSchema(SCHEMA as Json), shapeOfType(TYPE, 'Receipt'));
  });

  it('describes each member', () => {
    const nameless = (schema: unknown, path: string): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const properties = (schema as Json)['properties'];
      const members = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
      const alternatives = ((schema as Json)['oneOf'] ?? []) as unknown[];
      return [
        ...members.flatMap(([name, member]) => [
          ...((member as Json)['description'] ? [] : [`${path}.${name}`]),
          ...nameless(member, `${path}.${name}`),
        ]),
        ...alternatives.flatMap((each) => nameless(each, path)),
      ];
    };
    assert.deepEqual(nameless(SCHEMA, '$'), []);
  });

  it('is published in the package', () => {
    const require = createRequire(import.meta.url);
    assert.deepEqual(require('wardenpool/receipt.schema.json'), SCHEMA);
  });

  it('accepts what a sandbox really had, and what a command may have', () => {
    assertReceipt(receipt);
    assertReceipt(ofCommand());
  });

  it('refuses a receipt of which any member is missing that is not optional', () => {
    const optional = [
      'codeDigest',
      'programDigest',
      'limitedBy',
      'versions.runner',
      'versions.engine',
      'isolation.procfs',
    ];
    const anyName = /^(labels|limits|limitedBy)\./;
    const accepted = [receipt, ofCommand()].flatMap((each) =>
      paths(each)
        .filter((path) => receiptProblems(changed(each, path, (parent, name) => delete parent[name])) === '')
        .map((path) => path.join('.')),
    );
    assert.deepEqual(
      accepted.filter(
        (path) => !optional.includes(path) && !anyName.test(path) && !path.startsWith('usage.cgroup'),
      ),
      [],
    );
  });

  it('refuses a receipt of which any member has another type', () => {
    const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
    for (const each of [receipt, ofCommand()]) {
      for (const path of paths(each)) {
        let kind = '';
        changed(each, path, (parent, name) => {
          kind = kindOf(parent[name]);
        });
        for (const other of ['x', 7, true, [[]], {}].filter((value) => kindOf(value) !== kind)) {
          const broken = changed(each, path, (parent, name) => {
            parent[name] = other;
          });
          assert.notEqual(receiptProblems(broken), '', `${path.join('.')} = ${JSON.stringify(other)}`);
        }
      }
    }
  });

  it('accepts members that it does not know, anywhere', () => {
    for (const path of paths(receipt).filter((each) => !/^(labels|limits|limitedBy)/.test(each[0] ?? ''))) {
      const grown = changed(receipt, path, (parent) => {
        parent['of a later version'] = { a: 1 };
      });
      assert.equal(receiptProblems(grown), '', path.join('.'));
    }
  });

  const contradictions: [string, object][] = [
    ['another number of the format', { schema: 'wardenpool.receipt/2' }],
    ['no reason for being unavailable', { state: 'unavailable' }],
    ['a reason for being complete', { reason: 'why' }],
    ['a complete receipt of what was lost', { outcome: { kind: 'lost' } }],
    ['a complete receipt of what never began', { outcome: { kind: 'spawn-failed', step: 1, errno: 1 } }],
    ['an exit without a status', { outcome: { kind: 'exited' } }],
    ['a status that is none', { outcome: { kind: 'exited', code: 256 } }],
    ['a signal without a name', { outcome: { kind: 'signaled' } }],
    ['a violation without a signal', { outcome: { kind: 'violation' } }],
    [
      'a failed step without an error',
      { state: 'unavailable', reason: 'r', outcome: { kind: 'spawn-failed', step: 1 } },
    ],
    ['a digest in capitals', { policyDigest: 'A'.repeat(64) }],
    ['a digest that is too short', { planDigest: 'a'.repeat(63) }],
    ['an unknown enforcer', { limitedBy: { cpuMs: 'hope' } }],
    ['a label that is no text', { labels: { a: 1 } }],
  ];
  for (const [what, change] of contradictions)
    it(`refuses ${what}`, () => assert.notEqual(receiptProblems({ ...receipt, ...change }), ''));

  it('refuses a complete receipt of which the end was not confirmed', () => {
    const stop = { ...receipt.stop, containmentConfirmed: false };
    assert.notEqual(receiptProblems({ ...receipt, stop }), '');
    assertReceipt({ ...receipt, stop, state: 'unavailable', reason: 'the kernel did not confirm it' });
  });

  for (const nothing of [undefined, null, {}, [], 'receipt', 1])
    it(`refuses ${JSON.stringify(nothing)}`, () => assert.notEqual(receiptProblems(nothing), ''));
});
