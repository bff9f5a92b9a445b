/**
 * What a pool tells with NODE_DEBUG=wardenpool, on stderr, beside the lines of its workers and their launchers: one line each.
 * Must never be given a program, a label, an argument or a result. Applications listen to events and metrics instead.
 */
import { debuglog, inspect } from 'node:util';
import type { Receipt } from '../executor/receipt.js';
import type { BackendChoice } from './backend-choice.js';
import type { PoolSettings } from './pool-options.js';

const debug = debuglog('wardenpool');

export function poolOpened(
  { registry: _, ...settings }: PoolSettings,
  { backend, refused }: BackendChoice,
): void {
  if (!debug.enabled) return;
  const opened = { ...settings, backend, refused: refused.map((each) => each.backend) };
  debug('pool opened: %s', inspect(opened, { breakLength: Number.POSITIVE_INFINITY }));
}

export function poolClosed(): void {
  debug('pool closed');
}

export function queueFull(executionId: string, maxQueue: number): void {
  debug('run %j is turned away: %d wait, which is maxQueue', executionId, maxQueue);
}

export function stopForced({ executionId, stop }: Receipt): void {
  const contained = stop.containmentConfirmed ? 'it is gone' : 'its end is NOT confirmed';
  debug('run %j: its sandbox was killed, reason %s; %s', executionId, stop.reason, contained);
}
