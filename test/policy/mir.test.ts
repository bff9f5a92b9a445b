// The binary form, byte for byte, and every way in which bytes can fail to be it.
import assert from 'node:assert/strict';
import { compilePolicy, decodePolicy, PolicyError } from '../../src/policy/index.js';
import { policyOf } from './policies.js';

const EMPTY = '4d4d4952 0003 0000 00000000 01 01 01 00 00000000';
const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** The header of a policy with so many rules and destinations. */
const header = (rules: number, destinations = 0): string =>
  `4d4d4952 0003 0000 ${rules.toString(16).padStart(8, '0')} ${destinations === 0 ? '01' : '03'} 01 01 00 ${destinations.toString(16).padStart(8, '0')}`;

const rule = (
  path: string,
  { kind = '01', access = '01', root = '02', scope = '02', missing = '01', zero = '000000' } = {},
): string =>
  `${kind} ${access} ${root} ${scope} ${missing} ${zero} ${Buffer.byteLength(path).toString(16).padStart(8, '0')} ${Buffer.from(path).toString('hex')}`;

const destination = (
  host: string,
  { kind = '02', protocol = '01', port = '01bb', flags = '00', zero = '00' } = {},
): string =>
  `${kind} ${protocol} ${port} ${flags} ${zero} ${host.length.toString(16).padStart(4, '0')} ${Buffer.from(host).toString('hex')}`;

describe('policy: MIR', () => {
  it('is 20 bytes for a policy without rules, whose digest is known', () => {
    const { bytes, digest } = compilePolicy(policyOf([]));
    assert.deepEqual(bytes, bytesOf(EMPTY));
    assert.equal(digest, '7bdfac8d09671969cc771cd038b342ac59d09f5fdafc55d447d7e1d2d71888ae');
  });

  it('writes each member where it belongs', () => {
    const { bytes } = compilePolicy({
      formatVersion: 3,
      filesystem: {
        default: 'deny',
        rules: [
          { access: 'deny-write', path: { absolute: '/é' }, scope: 'exact', missing: 'skip' },
          { access: 'deny', path: { root: 'temp', relative: 'x' } },
          { access: 'write', path: { root: 'workspace' } },
          { access: 'read', path: { special: 'minimal-runtime' } },
        ],
      },
      network: {
        mode: 'mediated',
        allow: [
          { protocol: 'tcp', host: 'b.c', port: 65535, requireTlsSni: true, allowPrivateAddresses: true },
          { protocol: 'tcp', host: '10.0.0.1', port: 1, allowPrivateAddresses: true },
        ],
      },
      root: { mode: 'ephemeral-write' },
      process: { treeConfinement: 'disabled' },
    });
    const expected = [
      '4d4d4952 0003 0000 00000004 03 00 02 00 00000002',
      '01 01 01 02 01 000000 00000000',
      '01 02 02 02 01 000000 00000000',
      '01 03 03 02 01 000000 00000001 78',
      '01 04 04 01 02 000000 00000003 2fc3a9',
      '02 01 0001 02 00 0008 31302e302e302e31',
      '02 01 ffff 03 00 0003 622e63',
    ];
    assert.equal(bytes.toString('hex'), expected.join('').replaceAll(' ', ''));
  });

  it('is decoded to the policy that it was made from, in canonical form', () => {
    const source = policyOf(
      [
        { access: 'write', path: { root: 'workspace', relative: 'a//b' }, missing: 'skip' },
        { access: 'read', path: { special: 'minimal-runtime' } },
      ],
      { mode: 'mediated', allow: [{ protocol: 'tcp', host: 'A.b', port: 1, requireTlsSni: true }] },
    );
    const { policy, ...decoded } = decodePolicy(compilePolicy(source).bytes);
    const { policy: _written, ...compiled } = compilePolicy(source);
    assert.deepEqual(decoded, compiled);
    assert.deepEqual(policy, {
      ...source,
      filesystem: {
        default: 'deny',
        rules: [
          { access: 'read', path: { special: 'minimal-runtime' }, scope: 'tree', missing: 'error' },
          { access: 'write', path: { root: 'workspace', relative: 'a/b' }, scope: 'tree', missing: 'skip' },
        ],
      },
      network: { mode: 'mediated', allow: [{ protocol: 'tcp', host: 'a.b', port: 1, requireTlsSni: true }] },
    });
  });

  it('reads only its part of a larger buffer', () => {
    const bytes = bytesOf(`ffff ${EMPTY} ffff`);
    assert.equal(decodePolicy(bytes.subarray(2, 22)).rules.length, 0);
  });

  const notCanonical =
    'this MIR is not in canonical form (normal paths, sorted records, one grant for each target); compile its policy anew';
  const cases: [string, string, string][] = [
    ['nothing', '', 'byte 0: this is no MIR, which begins with MMIR; JSON is for compilePolicy()'],
    [
      'another magic',
      '4d4d4953',
      'byte 0: this is no MIR, which begins with MMIR; JSON is for compilePolicy()',
    ],
    ['another version', EMPTY.replace('0003', '0002'), 'byte 4: the version is 2; it must be 3'],
    ['flags', EMPTY.replace('0003 0000', '0003 0001'), 'byte 6: the flag field is 1; it must be 0'],
    ['too many rules', header(4097), 'byte 8: the number of rules is 4097; the most is 4096'],
    [
      'an unknown network mode',
      '4d4d4952 0003 0000 00000000 04 01 01 00 00000000',
      'byte 12: the network mode is 4; it must be 1 to 3 (none, direct, mediated)',
    ],
    [
      'network mode 0',
      '4d4d4952 0003 0000 00000000 00 01 01 00 00000000',
      'byte 12: the network mode is 0; it must be 1 to 3 (none, direct, mediated)',
    ],
    [
      'unknown tree confinement',
      '4d4d4952 0003 0000 00000000 01 02 01 00 00000000',
      'byte 13: tree confinement is 2; the most is 1',
    ],
    [
      'an unknown root mode',
      '4d4d4952 0003 0000 00000000 01 01 03 00 00000000',
      'byte 14: the root mode is 3; it must be 1 to 2 (read-only, ephemeral-write)',
    ],
    [
      'a reserved byte',
      '4d4d4952 0003 0000 00000000 01 01 01 01 00000000',
      'byte 15: a reserved byte is 1; it must be 0',
    ],
    [
      'too many destinations',
      header(0, 1025),
      'byte 16: the number of destinations is 1025; the most is 1024',
    ],
    [
      'mediated without destinations',
      '4d4d4952 0003 0000 00000000 03 01 01 00 00000000',
      'byte 16: the network mediated has 0 destinations; mediated has at least 1, the others none',
    ],
    [
      'destinations of another mode',
      '4d4d4952 0003 0000 00000000 01 01 01 00 00000001',
      'byte 16: the network none has 1 destinations; mediated has at least 1, the others none',
    ],
    ['an end in the header', EMPTY.slice(0, -2), 'byte 16: the MIR ends here, where 4 bytes must follow'],
    ['an end before a rule', header(1), 'byte 20: the MIR ends here, where 1 bytes must follow'],
    [
      'an end in a path',
      `${header(1)} 01 01 02 02 01 000000 00000005 61`,
      'byte 32: the MIR ends here, where 5 bytes must follow',
    ],
    ['what follows', `${EMPTY} 00`, 'byte 20: 1 bytes follow the last record; nothing may'],
    [
      'another kind of rule',
      `${header(1)} ${rule('a', { kind: '02' })}`,
      'byte 20: the kind of a rule is 2; it must be 1',
    ],
    [
      'an unknown access',
      `${header(1)} ${rule('a', { access: '05' })}`,
      'byte 21: the access of a rule is 5; it must be 1 to 4 (read, write, deny, deny-write)',
    ],
    [
      'an unknown root',
      `${header(1)} ${rule('a', { root: '00' })}`,
      'byte 22: the root of a rule is 0; it must be 1 to 4 (minimal-runtime, workspace, temp, host)',
    ],
    [
      'an unknown scope',
      `${header(1)} ${rule('a', { scope: '03' })}`,
      'byte 23: the scope of a rule is 3; it must be 1 to 2 (exact, tree)',
    ],
    [
      'an unknown missing',
      `${header(1)} ${rule('a', { missing: '03' })}`,
      'byte 24: what a rule does when its target is missing is 3; it must be 1 to 2 (error, skip)',
    ],
    [
      'reserved bytes of a rule',
      `${header(1)} ${rule('a', { zero: '000001' })}`,
      'byte 25: a reserved field is 1; it must be 0',
    ],
    [
      'a long path',
      `${header(1)} ${rule('a'.repeat(4097))}`,
      'byte 28: the length of a path is 4097; the most is 4096',
    ],
    [
      'a path that is not UTF-8',
      `${header(1)} 01 01 02 02 01 000000 00000001 ff`,
      'byte 32: this text is not UTF-8',
    ],
    [
      'a path of the minimal runtime',
      `${header(1)} ${rule('a', { root: '01' })}`,
      'byte 32: a rule of the minimal runtime has no path',
    ],
    [
      'a path with ..',
      `${header(1)} ${rule('..')}`,
      'filesystem.rules[0].path.relative is "..": ".." leads out of what a rule names; write the path without it',
    ],
    [
      'an absolute path without a slash',
      `${header(1)} ${rule('a', { root: '04' })}`,
      'filesystem.rules[0].path.absolute is "a": an absolute path begins with a slash; write {"root": "workspace", "relative": …} for one of the workspace',
    ],
    ['a path that is not normal', `${header(1)} ${rule('a//b')}`, `byte 31: ${notCanonical}`],
    ['rules out of order', `${header(2)} ${rule('b')} ${rule('a')}`, `byte 32: ${notCanonical}`],
    ['a rule twice', `${header(2)} ${rule('a')} ${rule('a')}`, `byte 11: ${notCanonical}`],
    [
      'two grants of a target',
      `${header(2)} ${rule('a')} ${rule('a', { access: '02' })}`,
      `byte 11: ${notCanonical}`,
    ],
    [
      'a grant beside a deny',
      `${header(2)} ${rule('a')} ${rule('a', { access: '03' })}`,
      `byte 11: ${notCanonical}`,
    ],
    [
      'another kind of destination',
      `${header(0, 1)} ${destination('a', { kind: '01' })}`,
      'byte 20: the kind of a destination is 1; it must be 2',
    ],
    [
      'another protocol',
      `${header(0, 1)} ${destination('a', { protocol: '02' })}`,
      'byte 21: the protocol of a destination is 2; it must be 1',
    ],
    [
      'port 0',
      `${header(0, 1)} ${destination('a', { port: '0000' })}`,
      'byte 22: a destination has port 0; ports are 1 to 65535',
    ],
    [
      'unknown flags',
      `${header(0, 1)} ${destination('a', { flags: '04' })}`,
      'byte 24: the flag field of a destination is 4; the most is 3',
    ],
    [
      'a reserved byte of a destination',
      `${header(0, 1)} ${destination('a', { zero: '01' })}`,
      'byte 25: a reserved byte is 1; it must be 0',
    ],
    [
      'a host without a name',
      `${header(0, 1)} ${destination('')}`,
      'network.allow[0].host is "": a name has 1 to 253 characters',
    ],
    ['a host in capitals', `${header(0, 1)} ${destination('A')}`, `byte 28: ${notCanonical}`],
    [
      'destinations out of order',
      `${header(0, 2)} ${destination('b')} ${destination('a')}`,
      `byte 28: ${notCanonical}`,
    ],
  ];
  for (const [title, hex, message] of cases) {
    it(`refuses ${title}`, () => {
      assert.throws(
        () => decodePolicy(bytesOf(hex)),
        (error) => {
          assert.ok(error instanceof PolicyError, String(error));
          assert.equal(error.message, message);
          assert.equal(error.code, 'ERR_POLICY_INVALID');
          return true;
        },
      );
    });
  }

  it('refuses more than 1 MiB, and what is no bytes', () => {
    assert.throws(() => decodePolicy(Buffer.alloc(1024 * 1024 + 1)), {
      message: 'the MIR has 1048577 bytes; the most is 1048576',
    });
    assert.throws(() => decodePolicy(EMPTY as unknown as Uint8Array), {
      message: 'MIR is bytes: pass a Uint8Array',
    });
  });

  it('has nothing of other memory in its buffer', () => {
    const { bytes } = compilePolicy(policyOf([]));
    assert.equal(bytes.buffer.byteLength, bytes.length);
  });
});
