// What the executables of a sanitized checkout are linked of: the same as those of binding.gyp.
import { dirname } from 'node:path';
import { filesBelow } from './project.mjs';
import { builtCorruptionObject, builtEngineObjects, runnerSources } from './sanitized-runner.mjs';

/** @typedef {import('./sanitized-variants.mjs').SanitizedVariant} SanitizedVariant */

/**
 * @typedef {object} Executable
 * @property {string[]} sources   C files
 * @property {string[]} objects   what is linked as it was built, below the root
 * @property {string[]} wrapped   functions that its sources take the places of
 */

/** @param {string} folder */
const cFiles = (folder) =>
  filesBelow(folder).filter((path) => dirname(path) === folder && path.endsWith('.c'));

const withoutFilters = 'native/probe/without_filters.c';

/**
 * By their names.
 * @param {SanitizedVariant} variant
 * @returns {Record<string, Executable>}
 */
export function sanitizedExecutables(variant) {
  const alone = runnerSources();
  const runner = alone.filter((path) => !/\/(code_runner|command_line)\.c$/.test(path));
  const launcher = [...cFiles('native/launcher'), ...cFiles('native/command'), ...runner];
  const probe = [...cFiles('native/probe/runner'), ...launcher];
  const corruption = cFiles('native/corruption');
  const engine = builtEngineObjects();
  const corruptEngine = [...engine, builtCorruptionObject()];

  /** @param {string[]} sources @param {string[]} objects @param {string[]} wrapped */
  const withEngine = (sources, objects = engine, wrapped = []) => ({
    sources: [...sources, variant.source],
    objects,
    wrapped: [...new Set([...variant.wrapped, ...wrapped])],
  });
  /** @param {string[]} sources */
  const withoutEngine = (sources) => ({ sources, objects: [], wrapped: [] });

  const attacked = ['runner_execute', 'runner_rehearse'];
  const corrupted = [
    'host_functions_call',
    'tool_calls_start',
    'wasm_runtime_reserve',
    'bridge_receive_execution',
    'terminal_frame_send',
  ];
  return {
    'wardenpool-launcher': withEngine(launcher),
    'code-runner': withEngine(alone),
    'probe-launcher': withEngine(probe, engine, attacked),
    'corrupt-launcher': withEngine([...corruption, ...launcher], corruptEngine, corrupted),
    'probe-launcher-unfiltered': withEngine([withoutFilters, ...probe], engine, [
      ...attacked,
      'install_filter',
    ]),
    'probe-command': withoutEngine(cFiles('native/probe').filter((path) => path !== withoutFilters)),
    'system-call-lists': withoutEngine(cFiles('native/calls')),
  };
}
