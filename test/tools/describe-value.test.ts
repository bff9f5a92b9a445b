// What somebody threw, in words: never with another error.
import assert from 'node:assert/strict';
import { describeThrown } from '../../src/tools/describe-value.js';

describe('describeThrown', () => {
  it('says the message of an error, and the text of anything else', () => {
    assert.equal(describeThrown(new TypeError('a')), 'a');
    assert.equal(describeThrown('b'), 'b');
    assert.equal(describeThrown(undefined), 'undefined');
  });

  it('does not throw for what cannot be described', () => {
    const message = Object.defineProperty(new Error(), 'message', {
      get() {
        throw new Error('no');
      },
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [Object.create(null), message, proxy, { toString: 1 }]) {
      assert.equal(describeThrown(thrown), 'what was thrown cannot be described');
    }
  });
});
