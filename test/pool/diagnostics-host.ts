/** A process whose pool does what diagnostics tell of. What must not be told begins with SECRET. */
import assert from 'node:assert/strict';
import { createPool } from 'wardenpool';
import { launchersOf } from '../support/processes.js';
import { gate } from './deferred.js';

const pool = await createPool({ threads: 1, concurrency: 1, maxQueue: 0 });
const code = 'console.log("SECRET log"); await tools.wait({ SECRET: "argument" }); return "SECRET result"';

const first = gate();
const lost = assert.rejects(pool.run(code, { wait: first.tool }, { labels: { job: 'SECRET label' } }));
await first.entered;
await assert.rejects(pool.run(code), { code: 'QUEUE_FULL' });
for (const pid of launchersOf(process.pid)) process.kill(pid, 'SIGKILL');
await lost;
await pool.drain();

const last = gate();
const closed = assert.rejects(pool.run(code, { wait: last.tool }, { key: 'SECRET tenant' }));
await last.entered;
await pool.destroy();
await closed;
