import assert from 'node:assert/strict';
import { checkIsolatedOptions } from '../../src/executor/command/options.js';
import { InvalidOptionError } from '../../src/executor/errors.js';
import { limitedBy } from '../../src/executor/process-limits.js';
import { readOnly } from '../../src/policy/index.js';

const checkLimits = (limits?: unknown) => checkIsolatedOptions({ policy: readOnly(), limits }).limits;

const refused = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof InvalidOptionError, String(error));
  assert.equal(error.code, 'INVALID_OPTION');
  assert.match(error.message, message);
  return true;
};

describe('executor: limits of a command', () => {
  it('has none by default, but for the private temp', () => {
    const defaults = { tempBytes: 268_435_456, tempInodes: 16_384 };
    assert.deepEqual(checkLimits(), defaults);
    assert.deepEqual(checkLimits({}), defaults);
    assert.deepEqual(checkLimits({ wallMs: undefined, tempBytes: undefined }), defaults);
  });

  it('takes each, at its least and at its most', () => {
    const least = {
      wallMs: 1,
      cpuMs: 1,
      memoryBytes: 1_048_576,
      processes: 1,
      fileBytes: 0,
      openFiles: 8,
      tempBytes: 4_096,
      tempInodes: 2,
    };
    const most = {
      wallMs: 2_147_000_000,
      cpuMs: 2_147_000_000,
      memoryBytes: 2 ** 50,
      processes: 4_194_304,
      fileBytes: 2 ** 50,
      openFiles: 1_048_576,
      tempBytes: 2 ** 50,
      tempInodes: 1_000_000_000,
    };
    for (const limits of [least, most]) assert.deepEqual(checkLimits(limits), limits);
  });

  const cases: [string, unknown, RegExp][] = [
    ['a misspelt limit', { cpuMS: 1 }, /has no option "limits\.cpuMS": did you mean limits\.cpuMs\?/],
    ['a limit with a word missing', { memory: 1 }, /did you mean limits\.memoryBytes\?/],
    [
      'a limit of programs and not of commands',
      { maxToolCalls: 1 },
      /no option "limits.maxToolCalls": there are wallMs/,
    ],
    [
      'a value below its range',
      { tempBytes: 0 },
      /tempBytes of spawnIsolated\(\) is 0: must be an integer from 4096 to/,
    ],
    [
      'a value above its range',
      { openFiles: 2_000_000 },
      /openFiles of spawnIsolated\(\) is 2000000: .* to 1048576/,
    ],
    ['a fraction', { processes: 1.5 }, /processes of spawnIsolated\(\) is 1.5: must be an integer/],
    ['a text', { wallMs: '100' }, /wallMs of spawnIsolated\(\) is "100": must be an integer/],
    ['NaN', { wallMs: Number.NaN }, /wallMs of spawnIsolated\(\) is NaN: must be an integer/],
    [
      'infinity',
      { cpuMs: Number.POSITIVE_INFINITY },
      /cpuMs of spawnIsolated\(\) is Infinity: must be an integer/,
    ],
    ['limits that are no object', 5, /limits of spawnIsolated\(\) is 5: must be an object/],
    ['null', null, /is null: must be an object/],
    ['a list', [1], /is an array: must be an object/],
  ];
  for (const [what, limits, message] of cases)
    it(`refuses ${what}`, () => assert.throws(() => checkLimits(limits), refused(message)));

  it('refuses limits that cannot be read, and says why', () => {
    const limits = {
      get wallMs(): number {
        throw new Error('not today');
      },
    };
    assert.throws(() => checkLimits(limits), refused(/cannot be read: not today/));
  });

  it('is read once: a limit that changes under the check does not get past it', () => {
    let reads = 0;
    const checked = checkLimits({
      get processes() {
        return ++reads === 1 ? 5 : -1;
      },
    });
    assert.equal(checked.processes, 5);
  });

  it('says of every limit what enforces it, with a cgroup and without', () => {
    const limits = checkLimits({ wallMs: 1, cpuMs: 1, memoryBytes: 2_000_000, processes: 3, openFiles: 9 });
    assert.deepEqual(limitedBy(limits), {
      wallMs: 'timer',
      cpuMs: 'rlimit',
      memoryBytes: 'rlimit',
      processes: 'rlimit',
      openFiles: 'rlimit',
      tempBytes: 'tmpfs',
      tempInodes: 'tmpfs',
    });
    const byCgroup = { memoryBytes: 'cgroup-v2', cpuMs: 'cgroup-v2' } as const;
    assert.deepEqual(limitedBy(checkLimits({ memoryBytes: 2_000_000 }), byCgroup), {
      memoryBytes: 'cgroup-v2',
      tempBytes: 'tmpfs',
      tempInodes: 'tmpfs',
    });
  });
});
