/** A process of the host that swaps names, before a command starts and while it runs: nothing that is not granted may be read. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOnly } from 'wardenpool/executor';
import { CommandRefused } from '../../support/command-host.js';
import { swapping } from '../../support/swapping.js';
import { type Attack, attack, type Scene, type SceneOptions, withRules } from './attack.js';

const COMMANDS = 30;

/** What `COMMANDS` of them read at `path`, while `directory` of the workspace and a link to `target` change places. */
async function readDuringSwaps(
  scene: Scene,
  directory: string,
  target: string,
  path: string,
  options: SceneOptions,
): Promise<{ seen: string[]; started: number }> {
  const swaps = await swapping(scene.host.probe, join(scene.workspace, directory), target);
  const seen = new Set<string>();
  let started = 0;
  try {
    for (let count = 0; count < COMMANDS; count++) {
      try {
        for (const start of Object.keys(await scene.ends(['watch', path, '500'], options))) seen.add(start);
        started++;
      } catch (error) {
        // A link where there was none, or one that leads out of the workspace: it must not start then.
        if (!(error instanceof CommandRefused)) throw error;
        assert.match(error.cause.name, /^(SpawnFailed|SandboxUnavailable|PolicyError)$/, error.message);
      }
    }
  } finally {
    await swaps.stop();
  }
  return { seen: [...seen].sort(), started };
}

function outsideOf(scene: Scene): string {
  const outside = scene.host.workspace(scene.owner);
  writeFileSync(join(outside, 'file'), 'outside');
  return outside;
}

export const RACE_ATTACKS: readonly Attack[] = [
  attack(
    'a granted directory, swapped with a link that leads out',
    'only what is granted is read',
    async (scene) => {
      scene.fill({ 'granted/file': 'granted' });
      const base = readOnly();
      const rules = [
        { access: 'read', path: { special: 'minimal-runtime' } },
        { access: 'read', path: { root: 'workspace', relative: 'granted' } },
      ] as const;
      const policy = { ...base, filesystem: { default: 'deny', rules } } as const;
      const { seen } = await readDuringSwaps(scene, 'granted', outsideOf(scene), '/workspace/granted/file', {
        policy,
      });
      for (const start of seen) assert.equal(start, 'granted');
    },
  ),
  attack('a workspace, swapped with a link that leads out', 'only what is granted is read', async (scene) => {
    scene.fill({ 'parent/workspace/file': 'granted' });
    const workspace = join(scene.workspace, 'parent/workspace');
    const swaps = await swapping(scene.host.probe, join(scene.workspace, 'parent'), outsideOf(scene));
    const seen = new Set<string>();
    try {
      for (let count = 0; count < COMMANDS; count++) {
        const run = scene.host.run([scene.host.probe, 'watch', '/workspace/file', '500'], {
          backend: scene.backend,
          policy: readOnly(),
          workspace,
        });
        await run.then(
          ({ ends }) => Object.keys(ends).forEach((start) => void seen.add(start)),
          (error) => assert.ok(error instanceof CommandRefused, String(error)),
        );
      }
    } finally {
      await swaps.stop();
    }
    for (const start of seen) assert.equal(start, 'granted');
  }),
  attack(
    'a denied directory, swapped with a link to another',
    'nothing is read',
    async (scene) => {
      scene.fill({ 'denied/file': 'denied', 'other/file': 'other' });
      const options = withRules(['deny', 'denied']);
      const { seen } = await readDuringSwaps(
        scene,
        'denied',
        outsideOf(scene),
        '/workspace/denied/file',
        options,
      );
      assert.deepEqual(seen, []);
    },
    ['fs-deny'],
  ),
  attack(
    'the directory above a denied one, swapped with a link to another',
    'nothing is read',
    async (scene) => {
      scene.fill({ 'above/denied/file': 'denied', 'other/denied/file': 'other' });
      const options = withRules(['deny', 'above/denied']);
      const target = join(outsideOf(scene));
      const { seen } = await readDuringSwaps(scene, 'above', target, '/workspace/above/denied/file', options);
      assert.deepEqual(seen, []);
    },
    ['fs-deny'],
  ),
];
