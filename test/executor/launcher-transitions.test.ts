/** Every order of what can happen to a launcher, tried on its table. */
import assert from 'node:assert/strict';
import {
  LAUNCHER_TRANSITIONS,
  type LauncherEvent,
  type LauncherState,
  type LauncherTransition,
} from '../../src/executor/launcher-transitions.js';
import { sequences } from '../support/sequences.js';

describe('life of a launcher, every order of events', () => {
  const EVENTS: readonly LauncherEvent[] = ['ready', 'failed', 'close', 'kill', 'expired', 'exited'];
  const HEIGHT: Record<LauncherState, number> = {
    starting: 0,
    ready: 1,
    closing: 2,
    killed: 3,
    unconfirmed: 4,
    over: 5,
  };

  const courses = sequences(EVENTS, 5).map((events) => {
    let state: LauncherState = 'starting';
    const states: LauncherState[] = [state];
    const actions: string[] = [];
    const taken: string[] = [];
    for (const event of events) {
      const next: LauncherTransition | undefined = LAUNCHER_TRANSITIONS[state][event];
      if (next === undefined) continue;
      taken.push(`${state} ${event}`);
      state = next.to;
      states.push(state);
      if (next.action !== undefined) actions.push(next.action);
    }
    return { name: events.join(' '), states, actions, taken };
  });

  it('takes every transition of the table', () => {
    const all = Object.entries(LAUNCHER_TRANSITIONS).flatMap(([state, row]) =>
      Object.keys(row).map((event) => `${state} ${event}`),
    );
    assert.deepEqual([...new Set(courses.flatMap(({ taken }) => taken))].sort(), all.sort());
  });

  it('only goes on towards its end', () => {
    for (const { name, states } of courses)
      for (const [index, state] of states.entries())
        if (index > 0) assert.ok(HEIGHT[state] > HEIGHT[states[index - 1] ?? state], name);
  });

  it('does each thing at most once, and nothing but settle at the end', () => {
    for (const { name, actions } of courses) {
      assert.equal(new Set(actions).size, actions.length, name);
      const settled = actions.indexOf('settle');
      if (settled >= 0) assert.equal(settled, actions.length - 1, name);
    }
  });

  it('is settled just if it is over, or was given up', () => {
    for (const { name, states, actions } of courses) {
      const state = states.at(-1) ?? assert.fail();
      assert.equal(actions.includes('settle'), state === 'over' || state === 'unconfirmed', name);
    }
  });

  it('ends each state but the one of work in bounded time, whatever the launcher does', () => {
    for (const [state, row] of Object.entries(LAUNCHER_TRANSITIONS))
      for (const { to, isBounded } of Object.values(row)) {
        const mayLast = to === 'ready' || to === 'unconfirmed' || to === 'over';
        assert.equal(isBounded ?? false, !mayLast, `${state} → ${to}`);
        if (!mayLast) assert.ok(LAUNCHER_TRANSITIONS[to].expired, to);
      }
    assert.ok(LAUNCHER_TRANSITIONS.starting.expired);
  });
});
