/** Places in texts, through edits and back. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyEdits,
  composeSegments,
  cut,
  insertion,
  isInserted,
  originalOffset,
} from '../../src/source/text/edits.js';
import { Lines } from '../../src/source/text/lines.js';

describe('source: lines', () => {
  it('ends lines as ECMAScript does', () => {
    const lines = new Lines('a\nb\rc\r\nd\u2028e\u2029f');
    assert.equal(lines.count, 6);
    const shown = [1, 2, 3, 4, 5, 6, 7].map((line) => lines.sourceLine({ line, column: 1 }));
    assert.deepEqual(shown, ['a', 'b', 'c', 'd', 'e', 'f', '']);
  });

  it('counts columns in UTF-16 code units, from 1', () => {
    const lines = new Lines('x\n"😀" y');
    assert.deepEqual(lines.placeOf(7), { line: 2, column: 6 });
    assert.equal(lines.offsetOf({ line: 2, column: 6 }), 7);
  });

  it('takes a column beyond the line for its end, and knows no line beyond the last', () => {
    const lines = new Lines('abc\r\nd');
    assert.equal(lines.offsetOf({ line: 1, column: 99 }), 3);
    assert.equal(lines.offsetOf({ line: 3, column: 1 }), undefined);
  });

  it('shows of a long line what is around the place', () => {
    const text = `${'a'.repeat(5_000)}HERE${'b'.repeat(5_000)}`;
    const shown = new Lines(text).sourceLine({ line: 1, column: 5_001 });
    assert.ok(
      shown.length <= 202 && shown.includes('aHEREb') && shown.startsWith('…') && shown.endsWith('…'),
    );
  });

  it('finds every offset again', () => {
    const text = fc
      .array(fc.constantFrom('a', '\n', '\r', '\r\n', '\u2028', '😀'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => {
        const lines = new Lines(value);
        for (let offset = 0; offset <= value.length; offset++) {
          const found = lines.offsetOf(lines.placeOf(offset)) ?? -1;
          // Behind a line's text there are only the characters that end it.
          assert.ok(found <= offset && /^[\r\n\u2028\u2029]?$/.test(value.slice(found, offset)));
        }
      }),
    );
  });
});

describe('source: edits', () => {
  it('is the text itself, without a map, where nothing changes', () => {
    assert.deepEqual(applyEdits('abc', []), { text: 'abc' });
    assert.equal(originalOffset(undefined, 2), 2);
  });

  it('leads back to where a character came from', () => {
    const { text, segments } = applyEdits('0123456789', [cut(0, 2), insertion(4, 'XY'), cut(6, 8)]);
    assert.equal(text, '23XY4589');
    assert.deepEqual(
      [...text].map((_, at) => originalOffset(segments, at)),
      [2, 3, 4, 4, 4, 5, 8, 9],
    );
    assert.deepEqual([...text].map((_, at) => isInserted(segments, at)).indexOf(true), 2);
  });

  it('leads from behind the text to behind what is left of it', () => {
    const { segments } = applyEdits('```\nab\n```', [cut(0, 4), cut(7, 10)]);
    assert.equal(originalOffset(segments, 3), 7);
  });

  it('puts two insertions at one place in their order', () => {
    assert.equal(applyEdits('ab', [insertion(1, '('), insertion(1, '['), cut(1, 2)]).text, 'a([');
  });

  it('composes two rounds to one', () => {
    const first = applyEdits('0123456789', [cut(0, 3), cut(8, 10)]);
    const second = applyEdits(first.text, [insertion(0, '<<'), cut(2, 3), insertion(5, '>>')]);
    const composed = composeSegments(first.segments, second.segments);
    assert.equal(second.text, '<<3467>>');
    for (let at = 2; at < 6; at++) {
      assert.equal('0123456789'[originalOffset(composed, at)], second.text[at]);
    }
  });
});
