/** Every order of what can happen to a launcher, and to a thread's supply of launchers, tried on their tables. */
import assert from 'node:assert/strict';
import {
  LAUNCHER_TRANSITIONS,
  type LauncherEvent,
  type LauncherState,
  type LauncherTransition,
} from '../../src/executor/launcher-transitions.js';
import {
  FIRST_START,
  restartDelayMs,
  type SupplyAction,
  type SupplyEvent,
  type SupplyState,
  supplyTransition,
} from '../../src/executor/supply-transitions.js';
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

describe('supply of launchers, every order of events', () => {
  const EVENTS: readonly SupplyEvent[] = ['started', 'failed', 'lasted', 'lost', 'expired', 'close'];

  const courses = sequences(EVENTS, 5).map((events) => {
    let state: SupplyState = FIRST_START;
    const steps: { before: SupplyState; event: SupplyEvent; after: SupplyState; actions: SupplyAction[] }[] =
      [];
    for (const event of events) {
      const next = supplyTransition(state, event);
      if (next === undefined) continue;
      steps.push({ before: state, event, after: next.to, actions: [...next.actions] });
      state = next.to;
    }
    return { name: events.join(' '), steps };
  });
  const all = courses.flatMap(({ name, steps }) => steps.map((step) => ({ name, ...step })));

  it('starts one at a time: only when the one before has failed or was lost', () => {
    for (const { name, steps } of courses) {
      let running = 1; // the first
      for (const { event, actions } of steps) {
        if (event === 'failed' || event === 'lost') running--;
        if (actions.includes('start')) running++;
        assert.ok(running === 0 || running === 1, name);
      }
    }
  });

  it('waits before the third start in a row at the latest', () => {
    for (const { name, steps } of courses) {
      let unwaited = 1;
      for (const { event, actions } of steps) {
        if (actions.includes('start')) unwaited++;
        if (event === 'expired' || event === 'lasted') unwaited = 0;
        assert.ok(unwaited <= 2, name);
      }
    }
  });

  it('goes on from each phase by itself', () => {
    for (const { name, after, actions } of all) {
      if (after.phase === 'waiting') assert.ok(actions.includes('wait'), name);
      assert.equal(
        actions.includes('start'),
        after.phase === 'starting',
        `${name}: a start is under way just if it is starting`,
      );
    }
    assert.equal(supplyTransition({ phase: 'waiting', failures: 9 }, 'expired')?.to.phase, 'starting');
  });

  it('leaves nobody waiting: who waits is served, refused, or has a start to wait for', () => {
    for (const { name, before, after, actions } of all) {
      if (before.phase === 'starting' && after.phase !== 'starting')
        assert.ok(actions.includes('serve') || actions.includes('refuse'), name);
      if (after.phase === 'closed' && before.phase !== 'closed')
        assert.ok(actions.includes('refuse') || actions.includes('end'), name);
    }
  });

  it('ends what it has when it is closed, also what comes later, and starts nothing any more', () => {
    for (const { name, before, event, after, actions } of all) {
      if (before.phase === 'serving' && event === 'close') assert.deepEqual(actions, ['end'], name);
      if (before.phase !== 'closed') continue;
      assert.equal(after.phase, 'closed', name);
      assert.deepEqual(actions, event === 'started' ? ['end'] : [], name);
    }
  });

  it('forgets failures once a launcher has lasted', () => {
    for (const { name, event, after } of all) if (event === 'lasted') assert.equal(after.failures, 0, name);
  });

  it('doubles its wait up to a bound', () => {
    const delays = Array.from({ length: 20 }, (_, failures) => restartDelayMs(failures + 1));
    assert.deepEqual(delays.slice(0, 4), [50, 100, 200, 400]);
    assert.equal(Math.max(...delays), 5_000);
    assert.equal(restartDelayMs(10_000), 5_000);
  });
});
