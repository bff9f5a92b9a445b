/** Our runner, held against every case of code-bridge-v1. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { FEATURES } from '../../src/bridge/protocol.js';
import { registerCases } from './report/mocha.js';
import { runnerCases } from './runner/all-cases.js';
import { grantedFeatures } from './runner/probe.js';
import { soakRunner } from './soak/terminal-frames.js';

const command =
  process.env['WARDENPOOL_CODE_RUNNER'] ??
  fileURLToPath(new URL('../../build/Release/code-runner', import.meta.url));
const codeRunner = { command, arguments: [] };
const granted = await grantedFeatures(codeRunner);

describe('conformance of code-runner', () => {
  it('grants every feature that our host asks for, so that the cases of each are run', () => {
    assert.deepEqual(
      FEATURES.filter((feature) => !granted.has(feature)),
      [],
    );
  });

  registerCases(
    runnerCases(codeRunner).filter(({ needs }) => needs.every((feature) => granted.has(feature))),
  );
});

describe('terminal frames of code-runner', () => {
  it('are never lost: 60 runs that exit at once behind them', async () => {
    assert.deepEqual((await soakRunner(codeRunner, 60)).lost, []);
  });
});
