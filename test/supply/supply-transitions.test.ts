/** Every order of what can happen to a supply, tried on its table. */
import assert from 'node:assert/strict';
import {
  FIRST_START,
  type SupplyAction,
  type SupplyEvent,
  type SupplyState,
  supplyTransition,
} from '../../src/supply/supply-transitions.js';
import { sequences } from '../support/sequences.js';

describe('supply, every order of events', () => {
  const EVENTS: readonly SupplyEvent[] = ['ready', 'failed', 'lasted', 'lost', 'expired', 'close'];

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

  it('ends what it has when it is closed, also what is on its way, and starts nothing any more', () => {
    for (const { name, before, event, after, actions } of all) {
      if (before.phase === 'serving' && event === 'close') assert.deepEqual(actions, ['end'], name);
      if (before.phase === 'starting' && event === 'close')
        assert.deepEqual(actions, ['end', 'refuse'], name);
      if (before.phase !== 'closed') continue;
      assert.equal(after.phase, 'closed', name);
      assert.deepEqual(actions, [], name);
    }
  });

  it('forgets failures once something has lasted', () => {
    for (const { name, event, after } of all) if (event === 'lasted') assert.equal(after.failures, 0, name);
  });

  /** The waits of so many of the same in a row, of something that does not last. */
  function waits(event: 'failed' | 'lost', count: number): (number | undefined)[] {
    let state = FIRST_START;
    const take = (next: SupplyEvent) => {
      const transition = supplyTransition(state, next) ?? assert.fail(`${state.phase} ${next}`);
      state = transition.to;
      return transition;
    };
    return Array.from({ length: count }, () => {
      if (state.phase === 'waiting') take('expired');
      if (event === 'lost') take('ready');
      return take(event).waitMs;
    });
  }

  it('doubles its wait for what cannot be started, up to 5 s', () => {
    assert.deepEqual(waits('failed', 9), [50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    assert.equal(waits('failed', 2_000).at(-1), 5_000);
  });

  it('waits for what is lost again and again less than half a second, and for the first not at all', () => {
    assert.deepEqual(waits('lost', 7), [undefined, 50, 100, 200, 400, 400, 400]);
    assert.equal(waits('lost', 2_000).at(-1), 400);
  });

  it('says how long just where it waits', () => {
    for (const course of sequences(EVENTS, 5)) {
      let state = FIRST_START;
      for (const event of course) {
        const next = supplyTransition(state, event);
        if (next === undefined) continue;
        assert.equal(next.waitMs !== undefined, next.actions.includes('wait'), course.join(' '));
        state = next.to;
      }
    }
  });
});
