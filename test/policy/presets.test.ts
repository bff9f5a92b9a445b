// The policies that most commands need, and what is no list of paths.
import assert from 'node:assert/strict';
import { compilePolicy, PolicyError, readOnly, readWrite } from '../../src/policy/index.js';

const rulesOf = (policy: ReturnType<typeof readOnly>) =>
  compilePolicy(policy).rules.map(({ access, root, path }) => `${access} ${root}:${path}`);

describe('policy: presets', () => {
  it('reads the workspace, or writes it', () => {
    assert.deepEqual(rulesOf(readOnly()), ['read minimal-runtime:', 'read workspace:', 'write temp:']);
    assert.deepEqual(rulesOf(readWrite()), ['read minimal-runtime:', 'write workspace:', 'write temp:']);
  });

  it('writes the paths that are named, and reads the rest', () => {
    assert.deepEqual(rulesOf(readWrite(['build', './out/', '/var/cache/x'])), [
      'read minimal-runtime:',
      'read workspace:',
      'write workspace:build',
      'write workspace:out',
      'write temp:',
      'write host:/var/cache/x',
    ]);
    assert.deepEqual(rulesOf(readWrite([])), rulesOf(readOnly()));
    assert.deepEqual(rulesOf(readWrite(['.'])), rulesOf(readWrite()));
  });

  it('has no network, a read-only root, and the process tree confined', () => {
    const { network, rootMode, treeConfinement } = compilePolicy(readWrite());
    assert.deepEqual(
      { network, rootMode, treeConfinement },
      {
        network: { mode: 'none' },
        rootMode: 'read-only',
        treeConfinement: true,
      },
    );
  });

  it('refuses what is no list of paths', () => {
    const message = (paths: unknown): string => {
      try {
        readWrite(paths as string[]);
      } catch (error) {
        assert.ok(error instanceof PolicyError);
        return error.message;
      }
      return 'nothing was thrown';
    };
    assert.equal(message('build'), 'the paths of readWrite() are "build": pass an array of texts');
    assert.equal(
      message(['a', '']),
      'path 1 of readWrite() is "": write a path, "." for the whole workspace',
    );
    assert.equal(message([7]), 'path 0 of readWrite() is 7: write a path, "." for the whole workspace');
  });
});
