/** Every order of what can happen to a worker thread, tried on its table. */
import assert from 'node:assert/strict';
import {
  WORKER_TRANSITIONS,
  WORKER_WAIT_MS,
  type WorkerEvent,
  type WorkerLife,
  type WorkerTransition,
} from '../../src/pool/worker-transitions.js';
import { sequences } from '../support/sequences.js';

const EVENTS: readonly WorkerEvent[] = [
  'loaded',
  'ready',
  'refused',
  'failed',
  'silent',
  'close',
  'stopped',
  'expired',
  'exited',
];

/** No state is on the way to one before it. */
const HEIGHT: Record<WorkerLife, number> = {
  loading: 0,
  opening: 1,
  ready: 2,
  closing: 3,
  ending: 4,
  stuck: 5,
  gone: 6,
};

describe('life of a worker thread, every order of events', () => {
  const courses = sequences(EVENTS, 5).map((events) => {
    let life: WorkerLife = 'loading';
    const lives: WorkerLife[] = [life];
    const actions: string[] = [];
    const taken: string[] = [];
    for (const event of events) {
      const next: WorkerTransition | undefined = WORKER_TRANSITIONS[life][event];
      if (next === undefined) continue;
      taken.push(`${life} ${event}`);
      life = next.to;
      lives.push(life);
      if (next.action !== undefined) actions.push(next.action);
    }
    return { name: events.join(' '), lives, actions, taken };
  });

  it('takes every transition of the table', () => {
    const all = Object.entries(WORKER_TRANSITIONS).flatMap(([life, row]) =>
      Object.keys(row).map((event) => `${life} ${event}`),
    );
    const taken = new Set(courses.flatMap(({ taken }) => taken));
    assert.deepEqual([...taken].sort(), all.sort());
  });

  it('only goes on towards its end', () => {
    for (const { name, lives } of courses)
      for (const [index, life] of lives.entries())
        if (index > 0) assert.ok(HEIGHT[life] > HEIGHT[lives[index - 1] ?? life], name);
  });

  it('does each thing at most once, and settles last, just if it is gone or was given up', () => {
    for (const { name, lives, actions } of courses) {
      assert.equal(new Set(actions).size, actions.length, name);
      const life = lives.at(-1);
      assert.equal(actions.includes('settle'), life === 'gone' || life === 'stuck', name);
      if (actions.includes('settle')) assert.equal(actions.at(-1), 'settle', name);
    }
  });

  it('takes no runs before it is announced, and is asked to stop only if it was', () => {
    for (const { name, lives, actions } of courses) {
      assert.equal(actions.includes('announce'), lives.includes('ready'), name);
      if (actions.includes('ask')) assert.ok(actions.includes('announce'), name);
    }
  });

  it('ends every state but that of work in bounded time, whatever the thread does', () => {
    for (const life of Object.keys(WORKER_TRANSITIONS) as WorkerLife[]) {
      const mayLast = life === 'ready' || life === 'stuck' || life === 'gone';
      assert.equal(WORKER_WAIT_MS[life] === undefined, mayLast, life);
      assert.equal(WORKER_TRANSITIONS[life].expired === undefined, mayLast, life);
    }
  });

  it('hears of an exit, and of a failure, in every state before its end', () => {
    for (const life of Object.keys(WORKER_TRANSITIONS) as WorkerLife[]) {
      assert.equal(WORKER_TRANSITIONS[life].exited === undefined, life === 'gone', life);
      const isEnding = life === 'ending' || life === 'stuck' || life === 'gone';
      assert.equal(WORKER_TRANSITIONS[life].failed === undefined, isEnding, life);
    }
  });
});
