/** Every function that users can call, with arguments of every kind but the right one: none fails with an error that is not ours. */
import assert from 'node:assert/strict';
import * as main from 'wardenpool';
import * as executor from 'wardenpool/executor';

const throwing = new Proxy(
  {},
  {
    get: trap,
    has: trap,
    ownKeys: trap,
    getPrototypeOf: trap,
    getOwnPropertyDescriptor: trap,
  },
);
function trap(): never {
  throw new Error('the trap of a proxy');
}

function revoked<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** An object that throws when any of the members is read that a function may look for. */
const gettersThrow = Object.defineProperties(
  {},
  Object.fromEntries(
    [
      'policy',
      'rules',
      'threads',
      'maxBytes',
      'limits',
      'force',
      'code',
      'ok',
      'bytes',
      'workspace',
      'timeoutMs',
      'port',
      'execute',
    ].map((name) => [name, { enumerable: true, get: trap }]),
  ),
);

const ODD: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a boolean', true],
  ['a number', 7],
  ['NaN', Number.NaN],
  ['a BigInt', 7n],
  ['a symbol', Symbol('s')],
  ['a text', 'text'],
  ['the empty text', ''],
  ['an empty array', []],
  ['an array of undefined', [undefined]],
  ['an array of arrays', [[1]]],
  ['an array whose element is a getter', Object.defineProperty([], 0, { enumerable: true, get: trap })],
  ['an empty object', {}],
  ['an object without a prototype', Object.create(null)],
  ['an object of another kind', { formatVersion: 3, rules: 'all', unknown: 1 }],
  ['a function', () => 1],
  ['a date', new Date(0)],
  ['a Map', new Map([['policy', 1]])],
  ['a promise', Promise.resolve({})],
  ['an error', new Error('an error')],
  ['bytes', new Uint8Array([1, 2, 3])],
  ['a proxy that throws', throwing],
  [
    'a proxy of an array that throws',
    new Proxy([], { get: trap, ownKeys: trap, getOwnPropertyDescriptor: trap }),
  ],
  ['a revoked proxy', revoked({})],
  ['a revoked proxy of an array', revoked([])],
  ['an object whose getters throw', gettersThrow],
];

interface Call {
  // biome-ignore lint/suspicious/noExplicitAny: it is called with what it does not take.
  call(...args: any[]): unknown;
  /** Arguments that are right: each in turn is replaced. */
  args: readonly unknown[];
  /** Names of the errors that it may throw, or reject with. */
  errors: readonly string[];
  /** Of kinds that are right here, and cost much. */
  except?: readonly string[];
}

const policy = executor.readOnly();
const compiled = executor.compilePolicy(policy);
const places = { workspace: '/', temp: '/nowhere', minimalRuntime: [] };
const POLICY = ['PolicyError', 'PolicyConflictError'];
const COMMAND = [...POLICY, 'InvalidOptionError', 'SpawnFailed', 'SandboxUnavailable'];
const POOL = ['InvalidOptionError', 'InvalidToolError'];

async function spawned(command: string[], options: executor.IsolatedOptions): Promise<unknown> {
  const execution = executor.spawnIsolated(command, options);
  execution.protocol.resume();
  return execution.wait();
}

async function stopped(options: executor.StopOptions): Promise<void> {
  const execution = executor.spawnIsolated(['true'], { policy });
  try {
    await execution.stop(options);
  } finally {
    await execution.wait().catch(() => {});
  }
}

let pool: main.Pool;

const CALLS: Readonly<Record<string, Call>> = {
  compilePolicy: { call: executor.compilePolicy, args: [policy], errors: POLICY },
  decodePolicy: { call: executor.decodePolicy, args: [compiled.bytes], errors: POLICY },
  evaluate: { call: executor.evaluate, args: [[], '/'], errors: POLICY },
  readOnly: { call: executor.readOnly, args: [undefined], errors: [] },
  readWrite: { call: executor.readWrite, args: [['a']], errors: POLICY },
  resolvePolicy: {
    call: executor.resolvePolicy,
    args: [compiled, places],
    errors: [...POLICY, 'InvalidOptionError'],
  },
  spawnIsolated: { call: spawned, args: [['true'], { policy }], errors: COMMAND },
  'stop() of a command': { call: stopped, args: [{}], errors: ['InvalidOptionError'] },
  codeRunnerPath: { call: executor.codeRunnerPath, args: [], errors: [] },
  probeCgroups: { call: executor.probeCgroups, args: [], errors: [] },
  probeBackends: { call: executor.probeBackends, args: [], errors: [] },
  createPool: {
    call: main.createPool,
    args: [{ threads: 0 }],
    errors: POOL,
    except: ['undefined', 'an empty object', 'an object without a prototype'],
  },
  describeResult: { call: main.describeResult, args: [{ ok: true }, {}], errors: POOL },
  describeTools: { call: main.describeTools, args: [{}, {}], errors: POOL },
  tool: {
    call: (definition) => {
      // What it returns is its argument, and not to be awaited.
      main.tool(definition);
    },
    args: [{ execute: () => 1 }],
    errors: [],
  },
  'run() of a pool': {
    call: (...args) => pool.run(...(args as [string])),
    args: ['return 1', {}, {}],
    errors: POOL,
  },
  'metricsServer() of a pool': {
    call: async (options) => (await pool.metricsServer(options)).close(),
    args: [{}],
    errors: POOL,
  },
};

/** Classes of errors, which are there to be told apart; but for this one they are not made by users. */
const MADE_BY_USERS = 'ToolError';

describe('arguments of the wrong kind', () => {
  before(async () => {
    pool = await main.createPool({ threads: 1, warm: { min: 0, max: 1 } });
  });
  after(() => pool.close());

  it('are tried with every function that there is', () => {
    const functions = Object.entries({ ...main, ...executor })
      .filter(([, value]) => typeof value === 'function' && !(value.prototype instanceof Error))
      .map(([name]) => name);
    assert.deepEqual(
      functions.filter((name) => !Object.hasOwn(CALLS, name)),
      [],
    );
  });

  for (const [name, { call, args, errors, except = [] }] of Object.entries(CALLS))
    it(`of ${name} get an error of ours, or none`, async () => {
      for (const [index] of args.entries())
        for (const [kind, value] of ODD) {
          if (except.includes(kind)) continue;
          const given = args.map((arg, at) => (at === index ? value : arg));
          const error = await thrownBy(() => call(...given));
          if (error === undefined) continue;
          const what = `${kind} as argument ${index}: ${String(error)}`;
          assert.ok(error instanceof Error && errors.includes(error.name), what);
          assert.doesNotMatch(error.message, /Invalid (input|key)|Too (big|small)|expected|\[object/i, what);
        }
    });

  it('of close() of a pool get an error of ours, and leave it open', async () => {
    for (const [kind, value] of ODD) {
      if (['undefined', 'an empty object', 'an object without a prototype'].includes(kind)) continue;
      await assert.rejects(pool.close(value as object), { name: 'InvalidOptionError' }, kind);
    }
    assert.ok((await pool.run('return 1')).ok);
  });

  it(`of ${MADE_BY_USERS} get a TypeError that says what to write, or are taken for a text`, () => {
    for (const [kind, value] of ODD) {
      if (['undefined', 'an empty object', 'an object without a prototype'].includes(kind)) continue;
      assert.throws(() => new main.ToolError('m', value as object), TypeError, kind);
    }
  });
});

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}
