import assert from 'node:assert/strict';
import { type End, limitsReached } from '../../../src/executor/command/limits-reached.js';
import { LOST } from '../../../src/executor/command/receipt.js';
import { withDefaults } from '../../../src/executor/process-limits.js';
import type { SandboxOutcome } from '../../../src/executor/receipt.js';

const LIMITS = withDefaults({ wallMs: 5_000, cpuMs: 1_500, memoryBytes: 100_000_000 });

function end(outcome: SandboxOutcome, usedMs: number, others: Partial<End> = {}): End {
  const usage = { ...LOST.usage, cpuUserMs: usedMs - 100, cpuSystemMs: 100 };
  return {
    stoppedFor: new Set(),
    wasForced: false,
    report: { ...LOST, outcome, usage },
    used: undefined,
    ...others,
  };
}

const signaled = (signal: string): SandboxOutcome => ({ kind: 'signaled', signal });
const EXITED: SandboxOutcome = { kind: 'exited', code: 1 };

describe('the limits that a command reached', () => {
  const cases: [string, End, string[]][] = [
    ['none, if it ended by itself', end(EXITED, 1_900), []],
    [
      'wallMs, if its timer stopped it',
      end(signaled('SIGTERM'), 200, { stoppedFor: new Set(['wallMs'] as const) }),
      ['wallMs'],
    ],
    [
      'cpuMs, once, if its cgroup had used it up',
      end(signaled('SIGKILL'), 2_100, { stoppedFor: new Set(['cpuMs'] as const), wasForced: true }),
      ['cpuMs'],
    ],
    [
      'cpuMs, if the resource limit, of whole seconds, asked it to end',
      end(signaled('SIGXCPU'), 1_850),
      ['cpuMs'],
    ],
    ['cpuMs, if the resource limit killed it', end(signaled('SIGKILL'), 3_000), ['cpuMs']],
    ['none, if it sent itself SIGXCPU', end(signaled('SIGXCPU'), 150), []],
    ['none, if it was killed by somebody', end(signaled('SIGKILL'), 150), []],
    [
      'none, if it was killed by us, whatever it had used',
      end(signaled('SIGKILL'), 3_000, { wasForced: true }),
      [],
    ],
    [
      'memoryBytes, if the kernel killed some of it at its limit',
      end(EXITED, 200, { used: { oomKills: 1, peakMemoryBytes: 99_999_744 } }),
      ['memoryBytes'],
    ],
    ['memoryBytes, where no peak is counted', end(EXITED, 200, { used: { oomKills: 2 } }), ['memoryBytes']],
    [
      'none, if the kernel killed it far from its limit, for others',
      end(signaled('SIGKILL'), 200, { used: { oomKills: 1, peakMemoryBytes: 9_000_000 } }),
      [],
    ],
    [
      'none, if its memory was used up and nothing killed',
      end(EXITED, 200, { used: { oomKills: 0, peakMemoryBytes: 1e8 } }),
      [],
    ],
  ];
  for (const [what, how, names] of cases)
    it(`are ${what}`, () => assert.deepEqual(limitsReached(LIMITS, how), names));

  it('are none of those that it was not given', () => {
    const how = end(signaled('SIGXCPU'), 9_000, { used: { oomKills: 1 } });
    assert.deepEqual(limitsReached(withDefaults(), how), []);
  });
});
