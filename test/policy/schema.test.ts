// The published JSON Schema: it refuses nothing that is a policy, and what has the wrong members is none for either.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { compilePolicy, type Policy, readOnly, readWrite } from '../../src/policy/index.js';
import { parameters } from '../properties/parameters.js';
import { policy } from '../properties/policy-arbitrary.js';
import { policyOf, policyTo } from './policies.js';

const schema = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('wardenpool/policy.schema.json')), 'utf8'),
);
const accepts = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);

describe('policy: JSON Schema', () => {
  it('accepts every policy', () => {
    for (const preset of [readOnly(), readWrite(), readWrite(['a', '/b'])]) assert.ok(accepts(preset));
    fc.assert(
      fc.property(policy, (value) => {
        assert.ok(accepts(value), JSON.stringify(accepts.errors));
      }),
      parameters(500),
    );
  });

  const read = { access: 'read', path: { root: 'workspace' } } as const;
  const wrong: [string, unknown][] = [
    ['another version', { ...readOnly(), formatVersion: 2 }],
    ['an unknown member', { ...readOnly(), more: 1 }],
    ['a missing member', { ...readOnly(), root: undefined }],
    ['an unknown access', policyOf([{ ...read, access: 'reed' as 'read' }])],
    ['an unknown scope', policyOf([{ ...read, scope: 'all' as 'tree' }])],
    ['an unknown missing', policyOf([{ ...read, missing: 'ignore' as 'skip' }])],
    ['a path of two forms', policyOf([{ ...read, path: { root: 'temp', absolute: '/' } }])],
    ['a path without a form', policyOf([{ ...read, path: {} as { absolute: string } }])],
    ['a relative path with a slash', policyOf([{ ...read, path: { root: 'temp', relative: '/a' } }])],
    ['a relative path with ..', policyOf([{ ...read, path: { root: 'temp', relative: 'a/../b' } }])],
    ['a relative path of ..', policyOf([{ ...read, path: { root: 'temp', relative: '..' } }])],
    ['an absolute path with ..', policyOf([{ ...read, path: { absolute: '/..' } }])],
    ['an absolute path without a slash', policyOf([{ ...read, path: { absolute: 'a' } }])],
    ['too many rules', policyOf(Array.from({ length: 4097 }, () => ({ ...read })))],
    ['a mediated network without destinations', policyOf([], { mode: 'mediated', allow: [] })],
    [
      'destinations of another mode',
      policyOf([], { ...policyTo('a').network, mode: 'none' } as Policy['network']),
    ],
    ['a host with a dot at its end', policyTo('a.')],
    ['an IPv6 address', policyTo('::1')],
    ['port 0', policyTo('a', 0)],
    ['an unknown root mode', { ...readOnly(), root: { mode: 'writable' } }],
    ['an unknown tree confinement', { ...readOnly(), process: { treeConfinement: 'maybe' } }],
  ];
  for (const [title, value] of wrong) {
    it(`refuses ${title}, as the compiler does`, () => {
      const text = JSON.stringify(value);
      assert.throws(() => compilePolicy(text), { name: 'PolicyError' });
      assert.equal(accepts(JSON.parse(text)), false);
    });
  }
});
