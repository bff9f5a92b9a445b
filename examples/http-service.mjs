// A service that runs posted programs for its tenants: POST /run with {"code": "…"} and an API key. A tenant has a share of the
// pool and sees its own data alone; who hangs up stops the program; GET /metrics is for Prometheus; SIGTERM finishes what runs.
//   node examples/http-service.mjs     after a build; PORT (default 8080) and HOST (default 127.0.0.1) are taken from the environment
//   curl localhost:8080/run -H 'authorization: Bearer key-of-acme' --json '{"code": "return await tools.orders({ paid: false })"}'
import fastify from 'fastify';
import { createPool, InvalidOptionError, QueueFullError, QueueTimeoutError, tool } from 'wardenpool';

const tenants = new Map([
  ['key-of-acme', 'acme'],
  ['key-of-zeta', 'zeta'],
]);
const orders = {
  acme: [
    { id: 1, paid: true, euros: 40 },
    { id: 2, paid: false, euros: 75 },
  ],
  zeta: [{ id: 3, paid: false, euros: 12 }],
};

// Whose data a call sees is decided by the key that the service gave the run, never by the program.
const tools = {
  orders: tool({
    description: 'The orders of the tenant.',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { paid: { type: 'boolean' } },
      additionalProperties: false,
    },
    execute: ({ paid }, { key }) => orders[key].filter((order) => paid === undefined || order.paid === paid),
  }),
  wait: tool({
    description: 'Waits, for at most 10 seconds.',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { ms: { type: 'integer', minimum: 0, maximum: 10_000 } },
      required: ['ms'],
      additionalProperties: false,
    },
    execute: ({ ms }, { signal }) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      }),
  }),
};

const pool = await createPool({ maxConcurrencyPerKey: 8, maxQueue: 100, queueTimeoutMs: 5_000 });
// A body is checked as it is: nothing of another type is made to fit.
const app = fastify({ bodyLimit: 512 * 1024, ajv: { customOptions: { coerceTypes: false } } });

const body = {
  type: 'object',
  properties: { code: { type: 'string' } },
  required: ['code'],
  additionalProperties: false,
};

app.post('/run', { schema: { body } }, async (request, reply) => {
  const key = tenants.get(request.headers.authorization?.replace(/^Bearer /, ''));
  if (key === undefined)
    return reply.code(401).send({ error: 'send a known key: authorization: Bearer KEY' });
  const hungUp = new AbortController();
  // Of the response: a request is closed as soon as it is read.
  reply.raw.once('close', () => hungUp.abort());
  const run = await pool.run(request.body.code, tools, { key, signal: hungUp.signal });
  const { ok, executionId, logs, usage } = run;
  return { ok, executionId, ...(run.ok ? { value: run.value } : { error: run.error }), logs, usage };
});

app.get('/metrics', async (_request, reply) =>
  reply.type(pool.registry.contentType).send(await pool.registry.metrics()),
);

// What the program did wrong is an answer like any other. This is what the service could not do.
app.setErrorHandler((error, _request, reply) => {
  const overloaded = error instanceof QueueFullError || error instanceof QueueTimeoutError;
  if (overloaded) reply.header('retry-after', '1');
  const invalid = error.statusCode ?? (error instanceof InvalidOptionError ? 400 : 500);
  return reply.code(overloaded ? 503 : invalid).send({ error: error.message });
});

let closing = false;
app.addHook('onSend', async (_request, reply) => {
  if (closing) reply.header('connection', 'close');
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, async () => {
    // No new connections, then the answers on those there are, then the pool.
    closing = true;
    await app.close();
    await pool.close({ timeoutMs: 20_000 });
    console.log('closed');
  });
}

const address = await app.listen({
  port: Number(process.env.PORT ?? 8080),
  host: process.env.HOST ?? '127.0.0.1',
});
console.log(`listening on ${address}`);
