/** Every order in which the stops, the timers and the end of a sandbox can come, tried on the table and on the ladder itself. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { StopReason } from '../../src/executor/receipt.js';
import { StopLadder } from '../../src/executor/stop-ladder.js';
import {
  type Rung,
  STOP_TRANSITIONS,
  type StopEvent,
  type StopTransition,
} from '../../src/executor/stop-transitions.js';
import { sequences } from '../support/sequences.js';

const EVENTS: readonly StopEvent[] = ['stop', 'kill', 'expired', 'ended'];
const HEIGHT: Record<Rung, number> = {
  running: 0,
  graceful: 1,
  forced: 2,
  launcher: 3,
  uncontained: 4,
  over: 5,
};
/** From `running` to `over` by all rungs takes five events; two more show that nothing comes after. */
const DEPTH = 7;

interface Course {
  rungs: Rung[];
  actions: string[];
}

function courseOf(events: readonly StopEvent[]): Course {
  const course: Course = { rungs: ['running'], actions: [] };
  let rung: Rung = 'running';
  for (const event of events) {
    const transition: StopTransition | undefined = STOP_TRANSITIONS[rung][event];
    if (transition === undefined) continue;
    rung = transition.to;
    course.rungs.push(rung);
    if (transition.action !== undefined) course.actions.push(transition.action);
  }
  return course;
}

describe('stop ladder, every order of events', () => {
  const courses = sequences(EVENTS, DEPTH).map((events) => ({ events, ...courseOf(events) }));

  it('reaches every rung, and every transition of the table', () => {
    const taken = new Set<string>();
    for (const { events } of courses) {
      let rung: Rung = 'running';
      for (const event of events) {
        const next: StopTransition | undefined = STOP_TRANSITIONS[rung][event];
        if (next !== undefined) taken.add(`${rung} ${event}`);
        rung = next?.to ?? rung;
      }
    }
    const all = Object.entries(STOP_TRANSITIONS).flatMap(([rung, row]) =>
      Object.keys(row).map((event) => `${rung} ${event}`),
    );
    assert.deepEqual([...taken].sort(), all.sort());
  });

  it('only climbs', () => {
    for (const { events, rungs } of courses)
      for (const [index, rung] of rungs.entries())
        if (index > 0) assert.ok(HEIGHT[rung] > HEIGHT[rungs[index - 1] ?? rung], events.join(' '));
  });

  it('does each thing at most once, in the order of their hardness', () => {
    const order = ['ask', 'kill', 'killLauncher', 'containmentFailed'];
    for (const { events, actions } of courses) {
      const places = actions.map((action) => order.indexOf(action));
      assert.deepEqual(
        places,
        [...new Set(places)].sort((a, b) => a - b),
        events.join(' '),
      );
    }
  });

  it('does nothing after the end, and nothing before a demand', () => {
    for (const { events } of courses) {
      const demanded = events.findIndex((event) => event === 'stop' || event === 'kill');
      const ended = events.indexOf('ended');
      const before = events.slice(0, demanded < 0 ? undefined : demanded);
      assert.deepEqual(courseOf(before.filter((event) => event !== 'ended')).actions, []);
      if (ended >= 0) assert.deepEqual(courseOf(events).actions, courseOf(events.slice(0, ended)).actions);
    }
  });

  it('waits on every rung between the demand and the end, but on the last', () => {
    for (const [rung, row] of Object.entries(STOP_TRANSITIONS))
      for (const transition of Object.values(row)) {
        const isLast = transition.to === 'over' || transition.to === 'uncontained';
        assert.equal(transition.wait === undefined, isLast, `${rung} → ${transition.to}`);
        if (!isLast) assert.ok(STOP_TRANSITIONS[transition.to].expired, `${transition.to} has a way on`);
      }
  });

  it('reports the end of containment, or the end, after at most three waits', () => {
    for (const event of ['stop', 'kill'] as const) {
      const { rungs } = courseOf([event, 'expired', 'expired', 'expired']);
      assert.equal(rungs.at(-1), 'uncontained');
    }
  });
});

describe('stop ladder, every order of calls', () => {
  /**
   * A ladder with real timers, led through `events`; `expired` waits for what the timer brings.
   */
  async function lead(events: readonly StopEvent[]) {
    const actions: string[] = [];
    let onAction: () => void = () => {};
    const act = (action: string) => () => {
      actions.push(action);
      onAction();
    };
    const ladder = new StopLadder(
      {
        terminate: act('ask'),
        kill: act('kill'),
        killLauncher: act('killLauncher'),
        containmentFailed: act('containmentFailed'),
      },
      { gracefulMs: 1, forcedMs: 1 },
    );
    let ends = 0;
    const waits: Promise<void>[] = [];
    const demands: StopReason[] = [];
    let rung: Rung = 'running';
    for (const event of events) {
      const next: StopTransition | undefined = STOP_TRANSITIONS[rung][event];
      rung = next?.to ?? rung;
      if (event === 'expired') {
        if (next === undefined) continue;
        await new Promise<void>((resolve) => {
          onAction = resolve;
        });
        continue;
      }
      const reason: StopReason = event === 'stop' ? 'cancelled' : 'closed';
      if (event === 'ended') {
        ladder.ended();
        continue;
      }
      if (rung !== 'over') demands.push(reason);
      waits.push((event === 'stop' ? ladder.stop(reason) : ladder.kill(reason)).then(() => void ends++));
    }
    // Whatever is left ends at last, as a sandbox does.
    ladder.ended();
    const { stopMs } = ladder;
    await Promise.all(waits);
    return { actions, ladder, stopMs, ends, waits: waits.length, reason: demands[0] ?? null };
  }

  /** A timer's turn takes a millisecond, so that the longest are led beside each other. */
  const all = sequences(EVENTS, 5);

  it('does what the table says, tells everyone who waits once, and keeps the first reason', async () => {
    await Promise.all(
      all.map(async (events) => {
        const led = await lead(events);
        const name = events.join(' ');
        assert.deepEqual(led.actions, courseOf(events).actions, name);
        assert.equal(led.ends, led.waits, name);
        assert.equal(led.ladder.reason, led.reason, name);
        assert.equal(led.ladder.gracefulStopAttempted, led.actions.includes('ask'), name);
        assert.equal(led.ladder.forcedStopAttempted, led.actions.includes('kill'), name);
        assert.equal(led.ladder.stopMs, led.stopMs, `${name}: its time stands still after the end`);
      }),
    );
  });

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    await setImmediate(); // the test runner's own timer runs by now
    const before = timers();
    await Promise.all(all.map((events) => lead(events)));
    assert.equal(timers(), before);
  });

  it('goes on when asking fails', async () => {
    const ladder = new StopLadder(
      {
        terminate() {},
        kill: () => ladder.ended(),
        killLauncher() {},
        containmentFailed() {},
      },
      { gracefulMs: 1, forcedMs: 1 },
    );
    assert.throws(() =>
      ladder.stop('cancelled', () => {
        throw new Error('nobody listens');
      }),
    );
    await ladder.stop('closed');
    assert.equal(ladder.forcedStopAttempted, true);
    assert.equal(ladder.reason, 'cancelled');
  });
});
