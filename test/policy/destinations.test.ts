// Which connections a network lets through, and why not.
import assert from 'node:assert/strict';
import {
  admits,
  type ConnectionRequest,
  compilePolicy,
  type PolicyDestination,
} from '../../src/policy/index.js';
import { policyOf } from './policies.js';

const request: ConnectionRequest = { protocol: 'tcp', host: 'api.example', port: 443, privateAddress: false };
const destination: PolicyDestination = { protocol: 'tcp', host: 'api.example', port: 443 };

function answer(allow: PolicyDestination[], changes: Partial<ConnectionRequest> = {}): string {
  const { network } = compilePolicy(policyOf([], { mode: 'mediated', allow }));
  const verdict = admits(network, { ...request, ...changes });
  return verdict.admitted ? 'admitted' : verdict.reason;
}

describe('policy: connections', () => {
  it('are refused without a network, and admitted by a direct one, whatever they ask', () => {
    const malformed = { ...request, host: '127.1' };
    assert.deepEqual(admits({ mode: 'none' }, malformed), { admitted: false, reason: 'network-none' });
    assert.deepEqual(admits({ mode: 'direct' }, malformed), { admitted: true });
  });

  it('are admitted to the host and port of a destination', () => {
    assert.equal(answer([destination]), 'admitted');
    assert.equal(answer([{ ...destination, host: '192.0.2.1' }], { host: '192.0.2.1' }), 'admitted');
    assert.equal(answer([destination], { port: 444 }), 'no-destination');
    for (const host of ['example', 'x.api.example', 'api.example.x']) {
      assert.equal(answer([destination], { host }), 'no-destination');
    }
  });

  it('are refused for a name that is not in canonical form', () => {
    for (const host of ['', 'API.example', 'api.example.', '127.1', '[::1]']) {
      assert.equal(answer([destination], { host }), 'malformed-name');
    }
  });

  it('need the TLS server name that a destination requires', () => {
    const strict = { ...destination, requireTlsSni: true };
    assert.equal(answer([strict]), 'sni-absent');
    assert.equal(answer([strict], { serverName: 'other.example' }), 'sni-mismatch');
    assert.equal(answer([strict], { serverName: 'api.example' }), 'admitted');
    assert.equal(answer([destination], { serverName: 'other.example' }), 'admitted');
  });

  it('go to private addresses only where a destination allows it', () => {
    assert.equal(answer([destination], { privateAddress: true }), 'private-address');
    assert.equal(
      answer([{ ...destination, allowPrivateAddresses: true }], { privateAddress: true }),
      'admitted',
    );
  });

  it('are refused for the first reason that there is', () => {
    const strict = { ...destination, requireTlsSni: true };
    assert.equal(answer([strict], { privateAddress: true }), 'sni-absent');
    assert.equal(answer([strict], { privateAddress: true, serverName: 'x' }), 'sni-mismatch');
    assert.equal(answer([strict], { privateAddress: true, serverName: 'api.example' }), 'private-address');
    assert.equal(answer([strict], { port: 1 }), 'no-destination');
  });
});
