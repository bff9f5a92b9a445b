import assert from 'node:assert/strict';
import { RecentTexts } from '../../src/source/recent-texts.js';

describe('source: recent texts', () => {
  it('finds what was put in', () => {
    const texts = new RecentTexts<number>(100_000);
    texts.set('a', 1, 10);
    assert.equal(texts.get('a'), 1);
    assert.equal(texts.get('b'), undefined);
  });

  it('stays within its bytes, and keeps what is used', () => {
    const texts = new RecentTexts<number>(20_000);
    texts.set('used', 0, 1_000);
    for (let i = 0; i < 100; i++) {
      texts.set(`once-${i}`, i, 1_000);
      assert.equal(texts.get('used'), 0);
      assert.ok(texts.bytes <= 20_000);
    }
    assert.equal(texts.get('once-0'), undefined);
    assert.equal(texts.get('once-99'), 99);
  });

  it('counts a text that is put in twice once', () => {
    const texts = new RecentTexts<number>(20_000);
    texts.set('a', 1, 1_000);
    const { bytes } = texts;
    texts.set('a', 2, 1_000);
    assert.deepEqual([texts.bytes, texts.get('a')], [bytes, 2]);
  });

  it('does not throw everything out for one that is too large', () => {
    const texts = new RecentTexts<number>(20_000);
    texts.set('a', 1, 100);
    texts.set('b', 2, 1_000_000);
    assert.deepEqual([texts.get('a'), texts.get('b')], [1, undefined]);
  });

  it('makes room when everything was used', () => {
    const texts = new RecentTexts<number>(10_000);
    for (let i = 0; i < 50; i++) {
      texts.set(`${i}`, i, 1_000);
      for (let j = 0; j <= i; j++) texts.get(`${j}`);
    }
    assert.ok(texts.bytes <= 10_000);
    assert.equal(texts.get('49'), 49);
  });
});
