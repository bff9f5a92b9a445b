/** What an attack in the place of a runner is, and what those who try it have. */
import assert from 'node:assert/strict';
import type {
  AttackedLauncher,
  AttackHost,
  Namespaces,
  Outcome,
  StayingRunner,
} from '../../support/attack-host.js';
import type { Ends } from '../../support/command-host.js';
import { inWords } from '../in-words.js';
import type { Place } from '../places.js';

/** What a launcher has of namespaces, by the name of what it belongs to. */
const NAMESPACES_OF: Record<Place['backend'], Namespaces> = {
  namespaces: 'shared',
  'namespaces, strict': 'own',
  seccomp: 'none',
};

export interface RunnerAttack {
  name: string;
  /** The end that it must meet, for the table; where it depends on the place, one for each kind of place. */
  end: string;
  /** Rejects if it met another end. */
  attempt(scene: RunnerScene): Promise<void>;
}

/** One host and one way to make sandboxes. */
export class RunnerScene {
  constructor(
    readonly place: Place,
    readonly host: AttackHost,
    readonly executable: AttackedLauncher,
  ) {}

  get namespaces(): Namespaces {
    return NAMESPACES_OF[this.place.backend];
  }

  /** A sandbox for each request. */
  outcomes(requests: readonly string[]): Promise<Outcome[]> {
    return this.host.attempt(this.executable, this.namespaces, requests);
  }

  async outcome(request: string): Promise<Outcome> {
    const [outcome] = await this.outcomes([request]);
    return outcome ?? assert.fail();
  }

  /** What it says, if it then ends by itself. */
  async ends(request: string): Promise<Ends> {
    const { end, ends } = await this.outcome(request);
    assert.equal(end, 'code 0', `${request}: ${JSON.stringify(ends)}`);
    return ends;
  }

  /** One that goes on after its first word. */
  start(request: string): Promise<StayingRunner> {
    return this.host.start(this.executable, this.namespaces, request);
  }

  /** Each of these ends in one of these ways, and says nothing of a result. */
  async assertAllEnd(requests: readonly string[], ways: readonly string[]): Promise<void> {
    const outcomes = await this.outcomes(requests);
    const others = requests.flatMap((request, index) => {
      const { end, ends } = outcomes[index] ?? assert.fail();
      return ways.includes(end) && Object.keys(ends).length === 0
        ? []
        : [`${request}: ${end} ${JSON.stringify(ends)}`];
    });
    assert.deepEqual(others, []);
  }
}

/** A sandbox for each request; every one is killed in one of these ways before it can say anything. */
export function killed(
  name: string,
  requests: readonly string[],
  ways: readonly string[] = ['SIGSYS'],
): RunnerAttack {
  return {
    name,
    end: `killed (${ways.join(' or ')})`,
    attempt: (scene) => scene.assertAllEnd(requests, ways),
  };
}

/** One sandbox; it ends by itself, and says just this. */
export function says(name: string, request: string, expected: Ends, end = inWords(expected)): RunnerAttack {
  return {
    name,
    end,
    attempt: async (scene) => assert.deepEqual(await scene.ends(request), expected),
  };
}
