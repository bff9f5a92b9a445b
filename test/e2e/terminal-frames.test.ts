/** What a program returned arrives, although its process exits at once behind it. See npm run soak:terminal for more. */
import assert from 'node:assert/strict';
import { soakPool } from '../conformance/soak/terminal-frames.js';

describe('terminal frames through a pool', () => {
  it('are never lost: 60 runs, small and large, some with a call that nobody awaits', async () => {
    assert.deepEqual((await soakPool(60)).lost, []);
  });
});
