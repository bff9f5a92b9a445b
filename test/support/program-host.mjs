// A host of pools in a process of its own, so that it can be any user. It runs the programs that its parent sends over IPC, and
// tells of each what came of it, which of its tools were really called, and what of its own built-in objects was changed
// meanwhile. Arguments: the package's entry point, and a text that is the host's secret.
const [entryPoint = '', secret = ''] = process.argv.slice(2);
/** @type {typeof import('wardenpool')} */
const { createPool } = await import(entryPoint);

/** @typedef {{ backend: 'namespaces' | 'seccomp', isolation: 'default' | 'strict' }} Sandboxes */
/** @typedef {import('./program-host.js').ToolName} ToolName */

/** @type {Map<string, Promise<import('wardenpool').Pool>>} */
const pools = new Map();

/** @param {unknown} message */
const tell = (message) => process.send?.(message);

/** One launcher for each kind of sandbox, with few of them ready: most are made when they are needed. @param {Sandboxes} sandboxes */
function poolOf(sandboxes) {
  const key = JSON.stringify(sandboxes);
  const pool =
    pools.get(key) ??
    createPool({ threads: 1, warm: { min: 1, max: 4 }, ...sandboxes, limits: { maxToolCalls: 10_000 } });
  pools.set(key, pool);
  return pool;
}

/** @param {(name: ToolName, input: unknown) => void} onCall @returns {Record<ToolName, import('wardenpool').Tool>} */
const toolsOf = (onCall) => ({
  echo: {
    effect: 'read',
    execute(input) {
      onCall('echo', input);
      return input;
    },
  },
  fail: {
    execute(input) {
      onCall('fail', input);
      throw new Error(secret);
    },
  },
  // Answers nobody.
  wait: {
    execute(input) {
      onCall('wait', input);
      return new Promise(() => {});
    },
  },
});

const CLASSES = [Object, Function, Array, String, Promise, Error];
const BUILT_IN = [...CLASSES, ...CLASSES.map(({ prototype }) => prototype), JSON, Reflect];

/** Every own property of what a program might reach by a name such as __proto__, with what it has. */
const snapshot = () =>
  BUILT_IN.flatMap((object) =>
    Reflect.ownKeys(object).map((key) => {
      const { value, get } = Reflect.getOwnPropertyDescriptor(object, key) ?? {};
      return { object, key, has: value ?? get };
    }),
  );
const asItWas = snapshot();

function changed() {
  const now = snapshot();
  const isIn = (/** @type {typeof now} */ list, /** @type {typeof now[number]} */ one) =>
    list.some(({ object, key, has }) => object === one.object && key === one.key && Object.is(has, one.has));
  return [...now.filter((one) => !isIn(asItWas, one)), ...asItWas.filter((one) => !isIn(now, one))].map(
    ({ key }) => String(key),
  );
}

/**
 * What a record has is made when it is read.
 * @param {import('wardenpool').RunResult<unknown>} run
 */
const plain = (run) => ({
  ...run,
  toolCalls: run.toolCalls.map(({ id, name, effect, arguments: input, argumentsDigest, outcome, ms }) => ({
    id,
    name,
    effect,
    arguments: input,
    argumentsDigest,
    outcome,
    ms,
  })),
});

/** @param {{ id: number, sandboxes: Sandboxes, code: string, tools: ToolName[], options: import('wardenpool').RunOptions }} request */
async function serve({ id, sandboxes, code, tools, options }) {
  /** @type {{ name: string, input: unknown }[]} */
  const handled = [];
  const all = toolsOf((name, input) => handled.push({ name, input }));
  const pool = await poolOf(sandboxes);
  const run = await pool.run(code, Object.fromEntries(tools.map((name) => [name, all[name]])), options);
  tell({ id, end: { run: plain(run), handled, changed: changed() } });
}

process.on('message', (/** @type {any} */ request) => {
  serve(request).catch((error) => tell({ id: request.id, error: String(error?.stack ?? error) }));
});
process.on('disconnect', () => process.exit());
tell({ ready: true });
