// The seam for faults is in what tests load, and in nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { filesBelow } from '../../scripts/lib/project.mjs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url));

/** What the seam cannot be without: the name of its file, and those of its wrappers. */
const TRACES = ['.faults', 'WARDENPOOL_FAULTS', '__wrap_', 'fault_at'];

describe('the seam for faults', () => {
  for (const shipped of ['wardenpool.node', 'wardenpool-launcher', 'code-runner'])
    it(`has left no trace in ${shipped}`, () => {
      const bytes = read(`build/Release/${shipped}`);
      assert.deepEqual(
        TRACES.filter((trace) => bytes.includes(trace)),
        [],
      );
    });

  for (const [faulty, trace] of [
    ['faulty-launcher', '.faults'],
    ['faulty-addon.so', 'WARDENPOOL_FAULTS'],
  ] as const)
    it(`is in ${faulty}, where it is looked for in the same way`, () => {
      assert.ok(read(`build/Release/${faulty}`).includes(trace));
    });

  it('is known to no source of what is shipped', () => {
    const shipped = [
      'native/addon',
      'native/launcher',
      'native/command',
      'native/control',
      'native/runner',
      'src',
    ];
    for (const path of shipped.flatMap(filesBelow))
      assert.ok(!/WARDENPOOL_FAULTS|fault_at|faults\.h/.test(read(path).toString()), path);
  });
});
