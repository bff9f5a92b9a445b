import assert from 'node:assert/strict';
import { ArrivalRate } from '../../src/executor/arrival-rate.js';

describe('arrival rate', () => {
  it('is what came in the busiest tenth of a second of the last five', () => {
    const rate = new ArrivalRate();
    assert.equal(rate.peak, 0);
    for (let ms = 0; ms < 30; ms++) rate.count(1_000_000 + ms);
    rate.count(1_000_250);
    assert.equal(rate.peak, 30);
    rate.count(1_004_950);
    assert.equal(rate.peak, 30);
    rate.count(1_005_050);
    assert.equal(rate.peak, 1);
    rate.count(2_000_000_000);
    rate.count(2_000_000_001);
    assert.equal(rate.peak, 2);
  });
});
