/** What an attack on a sandbox is, and what those who try it have. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BackendCapability, IsolatedOptions, Policy, ProcessLimits, Receipt } from 'wardenpool/executor';
import { readOnly, readWrite } from 'wardenpool/executor';
import {
  type CommandEnd,
  type CommandHost,
  type Ends,
  giveTo,
  type RunningCommand,
} from '../../support/command-host.js';
import { inWords } from '../in-words.js';

export interface Attack {
  name: string;
  /** The end that it must meet, for the table. */
  end: string;
  /** Capabilities without which a backend must refuse it before anything is started. */
  needs: readonly Needed[];
  /** Rejects if the attack met another end than it must. */
  attempt(scene: Scene): Promise<void>;
}

export type SceneOptions = Omit<IsolatedOptions, 'policy'> & { policy?: Policy };

/** One host, one backend, and a workspace of this attack alone. */
export class Scene {
  readonly workspace: string;
  /**
   * Of the workspace. Without id-mapped mounts, which only the namespaces backend has, a root host's commands can use what
   * belongs to the user that they run as.
   */
  readonly owner: number;

  constructor(
    readonly host: CommandHost,
    readonly backend: Receipt['backend']['name'],
    /** For attacks that kill one: another host of the same user. */
    readonly anotherHost: () => Promise<CommandHost>,
  ) {
    this.owner = host.userId === 0 && backend !== 'namespaces' ? 65_534 : host.userId;
    this.workspace = host.workspace(this.owner);
  }

  /** Makes files of the workspace, by their paths in it, with their directories; a path that ends with a slash is a directory. */
  fill(tree: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(tree)) {
      const full = join(this.workspace, path);
      mkdirSync(path.endsWith('/') ? full : dirname(full), { recursive: true });
      if (!path.endsWith('/')) writeFileSync(full, content);
    }
    this.own();
  }

  /** Gives the workspace's owner what was made in it. */
  own(): void {
    giveTo(this.owner, this.workspace);
  }

  /** Default: readOnly(). The workspace is `this.workspace` unless the options say otherwise. */
  run(arguments_: readonly string[], options: SceneOptions = {}): Promise<CommandEnd> {
    return this.start(arguments_, options, false).ended;
  }

  /** A command that goes on until it is released. */
  start(arguments_: readonly string[], options: SceneOptions = {}, stays = true): RunningCommand {
    return this.host.start(
      [this.commandOf(options), ...arguments_],
      { backend: this.backend, policy: readOnly(), workspace: this.workspace, ...options },
      stays,
    );
  }

  /** Runs it and takes what it says: it must have come to its end by itself. */
  async ends(arguments_: readonly string[], options: SceneOptions = {}): Promise<Ends> {
    const end = await this.run(arguments_, options);
    assert.equal(end.returncode, 0, `${arguments_.join(' ')}: ${JSON.stringify(end)}`);
    return end.ends;
  }

  private commandOf(options: SceneOptions): string {
    const workspace = 'workspace' in options ? options.workspace : this.workspace;
    return workspace === undefined ? this.host.probe : `${workspace}/probe-command`;
  }
}

/** A capability, or a limit that has to be enforced. */
export type Needed = BackendCapability | `limits.${keyof ProcessLimits}`;

/** Every command's. */
const ALWAYS: readonly Needed[] = ['commands', 'process-tree', 'network-none', 'fs-read', 'fs-write'];

export function attack(
  name: string,
  end: string,
  attempt: (scene: Scene) => Promise<void>,
  needs: readonly Needed[] = [],
): Attack {
  return { name, end, attempt, needs: [...ALWAYS, ...needs] };
}

/** A probe with nothing but its ends. */
export function probe(
  name: string,
  arguments_: readonly string[],
  expected: Ends,
  end = inWords(expected),
  options?: SceneOptions,
): Attack {
  return attack(name, end, async (scene) =>
    assert.deepEqual(await scene.ends(arguments_, options), expected),
  );
}

/** The arguments of the probe `files` for operations such as 'read /etc/shadow'. */
export function operations(attempts: readonly string[]): string[] {
  return ['files', ...attempts.flatMap((each) => each.split(' '))];
}

/** Operations of the probe `files`, each with its end, as in `{ 'read /etc/shadow': 'ENOENT' }`. */
export function files(name: string, expected: Ends, end?: string, options?: SceneOptions): Attack {
  return probe(name, operations(Object.keys(expected)), expected, end, options);
}

/** readWrite() with more rules, of the workspace unless the path is absolute. */
export function withRules(
  ...rules: readonly [access: Access, path: string, scope?: 'tree' | 'exact'][]
): SceneOptions {
  const base = readWrite();
  const more = rules.map(([access, path, scope = 'tree']) => ({
    access,
    path: path.startsWith('/') ? { absolute: path } : ({ root: 'workspace', relative: path } as const),
    scope,
  }));
  return { policy: { ...base, filesystem: { default: 'deny', rules: [...base.filesystem.rules, ...more] } } };
}

type Access = Policy['filesystem']['rules'][number]['access'];

export const WRITABLE: SceneOptions = { policy: readWrite() };

/** The same end for each of these. */
export function all(names: readonly (string | number)[], end: string): Ends {
  return Object.fromEntries(names.map((name) => [`${name}`, end]));
}
