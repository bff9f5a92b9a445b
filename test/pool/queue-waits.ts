/** What a pool's metrics say of how many runs came through its queue. Must not know what became of them. */
import type { Pool } from 'wardenpool';

/** Runs that had a slot and their turn to start. */
export async function runsWithTurn(pool: Pool): Promise<number | undefined> {
  const waits = await pool.registry.getSingleMetric('wardenpool_queue_wait_seconds')?.get();
  const count = waits?.values.find(
    (value) => 'metricName' in value && String(value.metricName).endsWith('_count'),
  );
  return count?.value;
}
