// What somebody is told who wrote what is no policy: where, what, and what to write instead.
import assert from 'node:assert/strict';
import { compilePolicy, type Policy, PolicyError } from '../../src/policy/index.js';
import { policyOf, policyTo } from './policies.js';

function problem(source: unknown): PolicyError {
  try {
    compilePolicy(source as Policy);
  } catch (error) {
    assert.ok(error instanceof PolicyError, String(error));
    assert.equal(error.code, 'ERR_POLICY_INVALID');
    return error;
  }
  throw new assert.AssertionError({ message: 'this was taken for a policy' });
}

const text = JSON.stringify(policyOf([{ access: 'read', path: { root: 'workspace' } }]), undefined, 2);
const PATH_FORMS =
  'write {"special": "minimal-runtime"}, {"root": "workspace"}, {"root": "temp"} (either may have "relative"), or {"absolute": "/…"}';

describe('policy: text that is not JSON', () => {
  const cases: [string, string | Uint8Array, string][] = [
    ['an empty text', '', 'line 1, column 1: a value must follow here'],
    ['a comment', `// ours\n${text}`, 'line 1, column 1: JSON has no comments: remove it, at "// ours"'],
    [
      'a trailing comma',
      '{\n  "a": 1,\n}',
      'line 3, column 1: a key in double quotes must follow here: no comma stands before a closing brace, at "}"',
    ],
    [
      'a missing comma',
      '{"a": 1 "b": 2}',
      'line 1, column 9: a comma must separate this from what comes before, at "\\"b\\""',
    ],
    ['a missing colon', '{"a" 1}', 'line 1, column 6: a colon must follow the key, at "1"'],
    ['a missing brace', '{"a": 1', 'line 1, column 8: a closing brace is missing'],
    ['a missing bracket', '{"a": [1', 'line 1, column 9: a closing bracket is missing'],
    [
      'single quotes',
      "{'a': 1}",
      'line 1, column 2: this is not JSON: keys and texts stand in double quotes, at "\'a\'"',
    ],
    ['a second value', '{} {}', 'line 1, column 4: nothing may follow the policy, at "{"'],
    ['an open text', '{"a": "b\n"}', 'line 1, column 7: a text has no closing quote on its line, at "\\"b"'],
    [
      'an unknown escape',
      '{"a": "\\x"}',
      'line 1, column 7: this escape does not exist in JSON, at "\\"\\\\x\\""',
    ],
    [
      'a short escape',
      '{"a": "\\u12"}',
      'line 1, column 7: an escape \\u needs four hexadecimal digits, at "\\"\\\\u12\\""',
    ],
    [
      'a control character',
      '{"a": "\u0001"}',
      'line 1, column 7: a control character in a text must be written as an escape, at "\\"\\u0001\\""',
    ],
    ['a short number', '{"a": 1.}', 'line 1, column 7: a number ends too early, at "1."'],
    [
      'a byte order mark',
      `\uFEFF${text}`,
      'line 1, column 1: this is not JSON: keys and texts stand in double quotes, at "\uFEFF"',
    ],
    ['bytes that are no text', Buffer.from([0x7b, 0xff]), 'the policy is not UTF-8 text: convert it'],
    [
      'MIR',
      Buffer.from('MMIR'),
      'these bytes are MIR, not JSON: give them to decodePolicy(), and use what it returns',
    ],
  ];
  for (const [title, source, message] of cases) {
    it(`refuses ${title}`, () => assert.equal(problem(source).message, message));
  }

  it('refuses a key that is there twice, however it is spelt', () => {
    const twice = problem('{\n "filesystem": {"rules": [\n {"access": "read", "\\u0061ccess": "write"}]}}');
    assert.equal(
      twice.message,
      'line 3, column 21: the key "access" is there twice (filesystem.rules[0].access): remove one',
    );
    assert.equal(twice.path, 'filesystem.rules[0].access');
  });

  it('accepts the same key in different objects', () => {
    assert.equal(problem('{"a": {"a": [{"a": 1}, {"a": 2}]}}').path, 'a');
  });

  it('refuses more than 32 levels, and does not exhaust the stack on a million', () => {
    const tooDeep = 'line 1, column 33: more than 32 levels of objects and arrays';
    for (const levels of [33, 1_000_000]) assert.equal(problem('['.repeat(levels)).message, tooDeep);
    assert.match(problem('['.repeat(32)).message, /a closing bracket is missing/);
  });

  it('refuses more than 1 MiB, as text, as bytes and as an object', () => {
    const long = `${text}${' '.repeat(1024 * 1024)}`;
    for (const source of [long, Buffer.from(long), { a: long }]) {
      assert.match(
        problem(source).message,
        /^the policy has 10\d{5} bytes of JSON text; the most is 1048576: name directories, not their files$/,
      );
    }
  });

  it('accepts exactly 1 MiB', () => {
    assert.equal(compilePolicy(text.padEnd(1024 * 1024)).rules.length, 1);
  });
});

describe('policy: members', () => {
  type Change = (
    policy: Record<string, unknown> & { filesystem: { rules: Record<string, unknown>[] } },
  ) => void;

  /** Of a policy with one rule, changed. */
  function afterChange(change: Change): PolicyError {
    const policy = JSON.parse(text);
    change(policy);
    return problem(JSON.stringify(policy));
  }

  const cases: [string, Change, string][] = [
    [
      'a member that does not exist',
      (policy) => Object.assign(policy, { filesytem: 1 }),
      'filesytem does not exist: did you mean filesystem?',
    ],
    [
      'one that is like no other',
      (policy) => Object.assign(policy, { zz: 1 }),
      'zz does not exist: write one of $schema, formatVersion, filesystem, network, root, process',
    ],
    [
      'a member __proto__',
      (policy) => Object.defineProperty(policy, '__proto__', { value: 1, enumerable: true }),
      '__proto__ does not exist: write one of $schema, formatVersion, filesystem, network, root, process',
    ],
    [
      'a missing member',
      (policy) => Reflect.deleteProperty(policy, 'root'),
      'root is missing: it must be an object',
    ],
    [
      'a misspelt member that is missing under its name',
      ({ filesystem }) => filesystem.rules.splice(0, 1, { acess: 'read', path: { root: 'temp' } }),
      'filesystem.rules[0].acess does not exist: did you mean access?',
    ],
    [
      'another format',
      (policy) => Object.assign(policy, { formatVersion: 2 }),
      'formatVersion is 2: it must be 3',
    ],
    [
      'another default',
      ({ filesystem }) => Object.assign(filesystem, { default: 'allow' }),
      'filesystem.default is "allow": it must be deny',
    ],
    [
      'rules that are no array',
      ({ filesystem }) => Object.assign(filesystem, { rules: {} }),
      'filesystem.rules is an object: it must be an array',
    ],
    [
      'too many rules',
      ({ filesystem }) => filesystem.rules.push(...Array(4096).fill(filesystem.rules[0])),
      'filesystem.rules is an array of 4097: a policy has at most 4096 rules: name directories, not their files',
    ],
    [
      'an unknown access',
      ({ filesystem: { rules } }) => Object.assign(rules[0] ?? {}, { access: 'reed' }),
      'filesystem.rules[0].access is "reed": did you mean read?',
    ],
    [
      'an unknown scope',
      ({ filesystem: { rules } }) => Object.assign(rules[0] ?? {}, { scope: 'all' }),
      'filesystem.rules[0].scope is "all": write one of tree, exact',
    ],
    [
      'an unknown missing',
      ({ filesystem: { rules } }) => Object.assign(rules[0] ?? {}, { missing: true }),
      'filesystem.rules[0].missing is true: write one of error, skip',
    ],
    [
      'a path that is a text',
      ({ filesystem: { rules } }) => Object.assign(rules[0] ?? {}, { path: '/usr' }),
      `filesystem.rules[0].path is "/usr": ${PATH_FORMS}`,
    ],
    [
      'a path that is missing',
      ({ filesystem: { rules } }) => Reflect.deleteProperty(rules[0] ?? {}, 'path'),
      `filesystem.rules[0].path is missing: ${PATH_FORMS}`,
    ],
    [
      'a path without a form',
      ({ filesystem: { rules } }) => Object.assign(rules[0] ?? {}, { path: {} }),
      `filesystem.rules[0].path: a path has exactly one form: ${PATH_FORMS}`,
    ],
    [
      'a path of two forms',
      ({ filesystem: { rules } }) => Object.assign(rules[0] ?? {}, { path: { root: 'temp', absolute: '/' } }),
      `filesystem.rules[0].path: a path has exactly one form: ${PATH_FORMS}`,
    ],
    [
      'relative without a root',
      ({ filesystem: { rules } }) =>
        Object.assign(rules[0] ?? {}, { path: { absolute: '/', relative: 'a' } }),
      `filesystem.rules[0].path: a path has exactly one form: ${PATH_FORMS}`,
    ],
    [
      'an unknown root',
      ({ filesystem: { rules } }) => Object.assign(rules[0] ?? {}, { path: { root: 'tmp' } }),
      'filesystem.rules[0].path.root is "tmp": did you mean temp?',
    ],
    [
      'an unknown network mode',
      (policy) => Object.assign(policy, { network: { mode: 'off' } }),
      'network.mode is "off": write one of none, direct, mediated',
    ],
    [
      'mediated without destinations',
      (policy) => Object.assign(policy, { network: { mode: 'mediated' } }),
      'network: the mode mediated needs allow, and no other mode has it',
    ],
    [
      'destinations of another mode',
      (policy) =>
        Object.assign(policy, {
          network: { mode: 'none', allow: [{ protocol: 'tcp', host: 'a', port: 1 }] },
        }),
      'network: the mode mediated needs allow, and no other mode has it',
    ],
    [
      'no destinations',
      (policy) => Object.assign(policy, { network: { mode: 'mediated', allow: [] } }),
      'network.allow is an array of 0: allow has 1 to 1024 destinations; for none of them, write {"mode": "none"}',
    ],
    [
      'another protocol',
      (policy) =>
        Object.assign(policy, {
          network: { mode: 'mediated', allow: [{ protocol: 'udp', host: 'a', port: 1 }] },
        }),
      'network.allow[0].protocol is "udp": did you mean tcp?',
    ],
    [
      'port 0',
      (policy) => Object.assign(policy, policyTo('a', 0)),
      'network.allow[0].port is 0: a port is a whole number from 1 to 65535',
    ],
    [
      'half a port',
      (policy) => Object.assign(policy, policyTo('a', 1.5)),
      'network.allow[0].port is 1.5: a port is a whole number from 1 to 65535',
    ],
    [
      'a port as text',
      (policy) => Object.assign(policy, policyTo('a', '443' as unknown as number)),
      'network.allow[0].port is "443": a port is a whole number from 1 to 65535',
    ],
    [
      'an unknown root mode',
      (policy) => Object.assign(policy, { root: { mode: 'readonly' } }),
      'root.mode is "readonly": did you mean read-only?',
    ],
    [
      'tree confinement as a boolean',
      (policy) => Object.assign(policy, { process: { treeConfinement: true } }),
      'process.treeConfinement is true: write one of required, disabled',
    ],
  ];
  for (const [title, change, message] of cases) {
    it(`refuses ${title}`, () => {
      const error = afterChange(change);
      assert.equal(error.message, message);
      assert.ok(error.path !== undefined && message.startsWith(error.path), error.path);
    });
  }

  for (const [title, source] of [
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '3'],
  ] as const) {
    it(`refuses ${title} as a policy`, () => {
      const error = problem(source);
      assert.match(error.message, /^the policy is .*: it must be an object$/);
      assert.equal(error.path, undefined);
    });
  }
});

describe('policy: paths', () => {
  const relative = (path: string) =>
    problem(policyOf([{ access: 'read', path: { root: 'workspace', relative: path } }]));
  const absolute = (path: string) => problem(policyOf([{ access: 'read', path: { absolute: path } }]));

  it('refuses ..', () => {
    for (const path of ['..', 'a/..', '../a', 'a/../b', './/../a']) {
      assert.equal(
        relative(path).message,
        `filesystem.rules[0].path.relative is "${path}": ".." leads out of what a rule names; write the path without it`,
      );
    }
    assert.equal(absolute('/a/../b').path, 'filesystem.rules[0].path.absolute');
  });

  it('refuses an absolute path as a relative one, and the other way round', () => {
    assert.equal(
      relative('/a').message,
      'filesystem.rules[0].path.relative is "/a": a relative path does not begin with a slash; write {"absolute": …} for a path of the host',
    );
    for (const path of ['a', '']) {
      assert.equal(
        absolute(path).message,
        `filesystem.rules[0].path.absolute is "${path}": an absolute path begins with a slash; write {"root": "workspace", "relative": …} for one of the workspace`,
      );
    }
  });

  it('refuses NUL and half a surrogate pair', () => {
    assert.match(relative('a\0b').message, /is "a\\u0000b": a path cannot have a NUL character; remove it$/);
    assert.match(
      relative('a\ud800').message,
      /half a surrogate pair has no UTF-8 form; write whole characters$/,
    );
  });

  it('accepts 4,096 bytes and refuses 4,097, and cuts the path that it shows', () => {
    const euro = '€'.repeat(1365);
    assert.equal(
      compilePolicy(policyOf([{ access: 'read', path: { absolute: `/${euro}` } }])).rules.length,
      1,
    );
    assert.equal(
      absolute(`/${euro}a`).message,
      `filesystem.rules[0].path.absolute is "/${'€'.repeat(59)}"…: it has 4097 bytes; a path has at most 4096`,
    );
  });
});

describe('policy: hosts', () => {
  const NUMBERS =
    'a name that ends with a number is an IPv4 address, as four numbers from 0 to 255 without leading zeros';
  const cases: [string, string][] = [
    ['', 'a name has 1 to 253 characters'],
    [`${'a.'.repeat(127)}a`, 'a name has 1 to 253 characters'],
    ['a.', 'remove the dot at its end'],
    ['a..b', 'its label "" is not 1 to 63 ASCII letters, digits and inner hyphens'],
    ['a_b.c', 'its label "a_b" is not 1 to 63 ASCII letters, digits and inner hyphens'],
    ['-a.c', 'its label "-a" is not 1 to 63 ASCII letters, digits and inner hyphens'],
    ['bücher.example', 'its label "bücher" is not 1 to 63 ASCII letters, digits and inner hyphens'],
    // The Kelvin sign: its lower case is an ASCII k.
    ['\u212Aelvin.example', 'its label "\u212Aelvin" is not 1 to 63 ASCII letters, digits and inner hyphens'],
    ['*.example.com', 'there are no wildcards; write each name'],
    ['::1', 'there are no IPv6 addresses and no ports in host; write a name or an IPv4 address'],
    ['a.example:443', 'there are no IPv6 addresses and no ports in host; write a name or an IPv4 address'],
    ['127.1', NUMBERS],
    ['2130706433', NUMBERS],
    ['0x7f000001', NUMBERS],
    ['0X7F.1', NUMBERS],
    ['a.0xdead', NUMBERS],
    ['127.0.0.01', NUMBERS],
    ['256.0.0.1', NUMBERS],
    ['1.2.3.4.5', NUMBERS],
  ];
  for (const [host, message] of cases) {
    it(`refuses ${host.slice(0, 20) || 'the empty name'}`, () => {
      const error = problem(policyTo(host));
      assert.ok(error.message.startsWith('network.allow[0].host is "'), error.message);
      assert.ok(error.message.endsWith(`: ${message}`), error.message);
      assert.equal(error.path, 'network.allow[0].host');
    });
  }

  it('refuses a TLS server name for an IPv4 address', () => {
    const network = {
      mode: 'mediated',
      allow: [{ protocol: 'tcp', host: '192.0.2.1', port: 1, requireTlsSni: true }],
    } as const;
    assert.equal(
      problem(policyOf([], network)).message,
      'network.allow[0].requireTlsSni is true: no client presents an IPv4 address as a TLS server name; remove it, or name the host',
    );
  });
});

describe('policy: objects', () => {
  const policy = () =>
    ({ ...policyOf([{ access: 'read', path: { root: 'workspace' } }]) }) as Record<string, unknown>;
  const withMember = (name: string, value: unknown) => ({ ...policy(), [name]: value });

  class Root {
    mode = 'read-only';
  }
  const cyclic = policy();
  cyclic['root'] = cyclic;
  const holes = policyOf(Array(1));
  const named = policyOf(Object.assign([], { more: 1 }));

  const cases: [string, unknown, string][] = [
    ['undefined', undefined, 'the policy is undefined: pass an object or JSON text'],
    ['a function', () => {}, 'the policy is a function, which JSON does not have'],
    [
      'a member that is undefined',
      withMember('root', undefined),
      'root is undefined: leave it out, or give it a value',
    ],
    ['NaN', withMember('formatVersion', Number.NaN), 'formatVersion is NaN, which JSON does not have'],
    ['a BigInt', withMember('formatVersion', 3n), 'formatVersion is a bigint, which JSON does not have'],
    [
      'a symbol as a key',
      { ...policy(), [Symbol('x')]: 1 },
      '["Symbol(x)"] has a symbol as its key, which JSON does not have',
    ],
    [
      'an instance of a class',
      withMember('root', new Root()),
      'root is an instance of a class: pass a plain object',
    ],
    ['a Map', withMember('root', new Map()), 'root is an instance of a class: pass a plain object'],
    [
      'a String',
      withMember('root', { mode: new String('read-only') }),
      'root.mode is an instance of a class: pass a plain object',
    ],
    [
      'inherited members',
      Object.create(policy()),
      'the policy is an instance of a class: pass a plain object',
    ],
    ['a Proxy', new Proxy(policy(), {}), 'the policy is a Proxy: pass a plain object'],
    ['a Proxy inside', withMember('root', new Proxy({}, {})), 'root is a Proxy: pass a plain object'],
    [
      'a Proxy as a prototype',
      Object.create(new Proxy({}, {})),
      'the policy is an instance of a class: pass a plain object',
    ],
    [
      'an object that contains itself',
      cyclic,
      'root.root.root has more than 32 levels of objects and arrays, or contains itself',
    ],
    [
      'holes',
      holes,
      'filesystem.rules is an array with holes, or with members of other names: pass a plain array',
    ],
    [
      'an array with a named member',
      named,
      'filesystem.rules is an array with holes, or with members of other names: pass a plain array',
    ],
    [
      'a hidden member',
      Object.defineProperty(policy(), 'root', { value: {}, enumerable: false }),
      'root is not enumerable: pass a plain object',
    ],
  ];
  for (const [title, source, message] of cases) {
    it(`refuses ${title}`, () => assert.equal(problem(source).message, message));
  }

  it('refuses a getter without calling it', () => {
    let called = false;
    const source = policy();
    Object.defineProperty(source, 'root', {
      enumerable: true,
      get: () => {
        called = true;
        return { mode: 'read-only' };
      },
    });
    assert.equal(problem(source).message, 'root is a getter: pass its value');
    assert.ok(!called);
  });

  it('ignores a toJSON that is not its own, and refuses one that is', () => {
    assert.equal(
      problem(withMember('toJSON', () => policy())).message,
      'toJSON is a function, which JSON does not have',
    );
  });

  it('accepts objects without a prototype', () => {
    assert.equal(compilePolicy(Object.assign(Object.create(null), policy())).rules.length, 1);
  });
});
