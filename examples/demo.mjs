// The main job: a program as a model would write it, run in a sandbox of its own, with three tools of this process.
// `npm run demo` builds the package and runs this file.
import { styleText } from 'node:util';
import { createPool } from 'wardenpool';

const program = `
const [customers, orders, rates] = await Promise.all([
  tools['crm.customers']({ country: 'DE' }),
  tools['shop.orders']({ since: '2026-01-01' }),
  tools['fx.rates']({ base: 'EUR' }),
]);
console.log('joining', orders.length, 'orders of', customers.length, 'customers');

const totals = new Map(customers.map(({ id, name }) => [id, { name, orders: 0, euros: 0 }]));
for (const { customerId, amount, currency } of orders) {
  const entry = totals.get(customerId);
  if (!entry) continue;
  entry.orders += 1;
  entry.euros += amount / rates[currency];
}

const best = [...totals.values()]
  .filter(({ euros }) => euros > 500)
  .sort((a, b) => b.euros - a.euros)
  .map((entry) => ({ ...entry, euros: Math.round(entry.euros * 100) / 100 }));
if (best.length < totals.size) console.warn(totals.size - best.length, 'customers are below 500 EUR');
return { best, total: Math.round(best.reduce((sum, { euros }) => sum + euros, 0)) };
`;

const tools = {
  'crm.customers': () => [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Grete' },
    { id: 3, name: 'Konrad' },
  ],
  'shop.orders': () => [
    { customerId: 1, amount: 950, currency: 'USD' },
    { customerId: 2, amount: 120, currency: 'EUR' },
    { customerId: 3, amount: 610, currency: 'GBP' },
    { customerId: 1, amount: 80, currency: 'EUR' },
    { customerId: 9, amount: 7000, currency: 'EUR' },
  ],
  'fx.rates': () => ({ EUR: 1, USD: 1.08, GBP: 0.86 }),
};

const color = process.stdout.isTTY && !process.env.NO_COLOR;
const style = (format, text) => (color ? styleText(format, text) : text);
const title = (text) => console.log(`\n${style('bold', text)}`);
const row = (name, value) => console.log(`  ${style('dim', name.padEnd(13))} ${value}`);
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

const pool = await createPool();
try {
  title('A program with three tools, joined by Promise.all');
  console.log(style('dim', program.trim().replace(/^/gm, '  │ ')));

  const run = await pool.run(program, tools);
  if (!run.ok) throw new Error(`the demo's program failed: ${run.error.message}`);

  title('Its result');
  console.log(JSON.stringify(run.value, null, 2).replace(/^/gm, '  '));

  title('Its logs');
  for (const { level, text, ms } of run.logs) row(`${level} ${ms.toFixed(1)} ms`, text);

  title('How it was confined (from the receipt)');
  const { isolation, usage, backend, outcome, stop } = run.receipt;
  row('backend', `${backend.name}, as uid ${isolation.userId}`);
  const names = (wanted) =>
    Object.entries(isolation.namespaces)
      .filter(([, kind]) => kind === wanted)
      .map(([name]) => name)
      .join(', ') || 'none';
  row('its own', `namespaces: ${names('private')}`);
  row('shared, empty', `namespaces: ${names('shared-null')}`);
  row('seccomp', `allow-list, sha256 ${isolation.seccomp.digest.slice(0, 16)}…`);
  row('privileges', `no_new_privs ${isolation.noNewPrivs}, capabilities [${isolation.capabilities.join()}]`);
  row(
    'landlock',
    isolation.landlock ? `ABI ${isolation.landlock.abi}, nothing allowed` : 'not in this kernel',
  );
  row(
    'usage',
    `${run.usage.cpuMs.toFixed(1)} ms of CPU, ${(usage.maxRssBytes / 2 ** 20).toFixed(1)} MiB, ${run.usage.toolCalls} tool calls`,
  );
  row('outcome', `${outcome.kind} ${outcome.code}, containment confirmed: ${stop.containmentConfirmed}`);

  title('200 more runs of it, 16 in flight, a fresh process each');
  const latencies = [];
  let left = 200;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) {
        const from = performance.now();
        const again = await pool.run(program, tools);
        if (!again.ok) throw new Error(again.error.message);
        latencies.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  row('rate', `${Math.round(latencies.length / seconds)} per second`);
  row(
    'latency',
    `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms`,
  );

  title('A hostile program: one regular expression that never comes back');
  const hostile = `return /^(a+)+$/.test('a'.repeat(40) + '!');`;
  const stopped = await pool.run(hostile, {}, { limits: { timeoutMs: 250 } });
  row('program', hostile);
  row('limit', '250 ms');
  if (stopped.ok) throw new Error('the hostile program was not stopped');
  row(
    'ended',
    `after ${stopped.usage.runMs.toFixed(1)} ms: ${stopped.error.kind}, "${stopped.error.message}"`,
  );
  row(
    'next program',
    `runs as if nothing had happened: return 6 * 7 gives ${JSON.stringify((await pool.run('return 6 * 7')).value)}`,
  );
  console.log();
} finally {
  await pool.close();
}
