import assert from 'node:assert/strict';
import { type StopActions, StopLadder } from '../../src/executor/stop-ladder.js';

const TIMES = { gracefulMs: 20, forcedMs: 20 };

/** A ladder whose actions are recorded; `onAction` may end the sandbox in answer to one. */
function recorded(onAction: (action: string, ladder: StopLadder) => void = () => {}) {
  const actions: string[] = [];
  const record = (action: string) => () => {
    actions.push(action);
    onAction(action, ladder);
  };
  const stopActions: StopActions = {
    terminate: record('terminate'),
    kill: record('kill'),
    killLauncher: record('killLauncher'),
    containmentFailed: record('containmentFailed'),
  };
  const ladder: StopLadder = new StopLadder(stopActions, TIMES);
  return { ladder, actions, ask: record('ask') };
}

describe('stop ladder', () => {
  it('sends nothing to what is already over', async () => {
    const { ladder, actions } = recorded();
    ladder.ended();
    await Promise.all([ladder.stop('cancelled'), ladder.kill('closed')]);
    assert.deepEqual(actions, []);
    assert.equal(ladder.reason, null);
    assert.equal(ladder.stopMs, 0);
  });

  it('asks by SIGTERM where nobody asks otherwise, and goes no further when that is enough', async () => {
    const { ladder, actions } = recorded((_, it) => it.ended());
    await ladder.stop('cancelled');
    assert.deepEqual(actions, ['terminate']);
    assert.equal(ladder.gracefulStopAttempted, true);
    assert.equal(ladder.forcedStopAttempted, false);
  });

  it('asks in the way that it is told to', async () => {
    const { ladder, actions, ask } = recorded((_, it) => it.ended());
    await ladder.stop('cancelled', ask);
    assert.deepEqual(actions, ['ask']);
  });

  it('kills what did not end in time', async () => {
    const { ladder, actions } = recorded((action, it) => action === 'kill' && it.ended());
    await ladder.stop('cancelled');
    assert.deepEqual(actions, ['terminate', 'kill']);
    assert.equal(ladder.forcedStopAttempted, true);
  });

  it('kills the launcher of what survived, and reports what survived even that', async () => {
    const { ladder, actions } = recorded((action, it) => action === 'containmentFailed' && it.ended());
    await ladder.kill('deadline');
    assert.deepEqual(actions, ['kill', 'killLauncher', 'containmentFailed']);
    assert.equal(ladder.gracefulStopAttempted, false);
  });

  it('climbs at once when a harder stop follows a softer one, and keeps the first reason', async () => {
    const { ladder, actions } = recorded((action, it) => action === 'kill' && it.ended());
    const soft = ladder.stop('cancelled');
    await ladder.kill('closed');
    await soft;
    assert.deepEqual(actions, ['terminate', 'kill']);
    assert.equal(ladder.reason, 'cancelled');
  });

  it('does not go down again when a softer stop follows a harder one', async () => {
    const { ladder, actions } = recorded();
    const hard = ladder.kill('deadline');
    void ladder.stop('cancelled');
    ladder.ended();
    await hard;
    assert.deepEqual(actions, ['kill']);
  });

  it('leaves no timer behind', async () => {
    const { ladder, actions } = recorded();
    void ladder.stop('cancelled');
    ladder.ended();
    await new Promise((resolve) => setTimeout(resolve, 3 * TIMES.gracefulMs));
    assert.deepEqual(actions, ['terminate']);
  });
});
