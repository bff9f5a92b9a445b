/** What an attack by a program is, and what those who try it have. */
import assert from 'node:assert/strict';
import type { RunErrorKind } from 'wardenpool';
import { idOf } from '../../support/host-process.js';
import type { ProgramEnd, ProgramHost, ProgramOptions, Sandboxes } from '../../support/program-host.js';
import { assertReceipt } from '../../support/receipts.js';
import type { Place } from '../places.js';

const SANDBOXES_OF: Record<Place['backend'], Sandboxes> = {
  namespaces: { backend: 'namespaces', isolation: 'default' },
  'namespaces, strict': { backend: 'namespaces', isolation: 'strict' },
  seccomp: { backend: 'seccomp', isolation: 'default' },
};

/** What such a sandbox has of namespaces, as receipts name it. */
const USER_NAMESPACE_OF: Record<Place['backend'], string> = {
  namespaces: 'shared-null',
  'namespaces, strict': 'private',
  seccomp: 'host',
};

export interface ProgramAttack {
  name: string;
  /** The end that it must meet, for the table. */
  end: string;
  /** Rejects if it met another end. */
  attempt(scene: ProgramScene): Promise<void>;
}

/** One pool of one host. */
export class ProgramScene {
  readonly #sandboxes: Sandboxes;

  constructor(
    readonly place: Place,
    readonly host: ProgramHost,
  ) {
    this.#sandboxes = SANDBOXES_OF[place.backend];
  }

  /** Whatever comes of it, its receipt is one, says what it must of the backend, and no built-in object of the host was changed. */
  async run(code: string, options?: ProgramOptions): Promise<ProgramEnd> {
    const end = await this.host.run(this.#sandboxes, code, options);
    const { receipt } = end.run;
    assertReceipt(receipt);
    assert.equal(receipt.state, 'complete');
    assert.equal(receipt.backend.name, this.#sandboxes.backend);
    const { userId, namespaces } = receipt.isolation;
    if (this.place.user === 'root') assert.notEqual(userId, 0);
    else assert.equal(userId, idOf(this.place.user));
    assert.equal(namespaces.user, USER_NAMESPACE_OF[this.place.backend]);
    assert.deepEqual(end.changed, [], 'nothing was changed in the host');
    return end;
  }

  /** What it returns; it must succeed. */
  async value(code: string, options?: ProgramOptions): Promise<unknown> {
    const { run } = await this.run(code, options);
    assert.ok(run.ok, `${run.ok || JSON.stringify(run.error)}, by ${code}`);
    return run.value;
  }

  /** All at once: each of them fails, and in this way. */
  async assertAllFail(
    programs: readonly string[],
    kind: RunErrorKind,
    options?: ProgramOptions,
  ): Promise<ProgramEnd[]> {
    const ends = await Promise.all(programs.map((code) => this.run(code, options)));
    const others = ends.flatMap(({ run }, index) =>
      !run.ok && run.error.kind === kind
        ? []
        : [`${programs[index]}: ${JSON.stringify(run.ok ? run.value : run.error)}`],
    );
    assert.deepEqual(others, []);
    return ends;
  }
}

/** Programs, each of which fails in this way. */
export function fails(
  name: string,
  kind: RunErrorKind,
  programs: readonly string[],
  options?: ProgramOptions,
  end: string = kind,
): ProgramAttack {
  return {
    name,
    end,
    async attempt(scene) {
      await scene.assertAllFail(programs, kind, options);
    },
  };
}

/** One program, which returns just this. */
export function returns(
  name: string,
  code: string,
  expected: unknown,
  end: string,
  options?: ProgramOptions,
): ProgramAttack {
  return {
    name,
    end,
    attempt: async (scene) => assert.deepEqual(await scene.value(code, options), expected),
  };
}
