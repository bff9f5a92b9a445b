/** The policies that most commands need. */
import { describeJson } from './describe.js';
import { PolicyError } from './errors.js';
import { plainCopy } from './plain-value.js';
import type { Policy, PolicyRule } from './policy.js';

/** Reads the minimal runtime and the workspace, writes its private temp; no network; every process ends with the command. */
export function readOnly(): Policy {
  return withWorkspace([{ access: 'read', path: { root: 'workspace' } }]);
}

/**
 * readOnly(), and writing: `paths`, each relative to the workspace or absolute; default the whole workspace. Throws PolicyError
 * for what is no list of paths; whether a path is one that a rule can have is found when the policy is compiled.
 */
export function readWrite(paths?: readonly string[]): Policy {
  if (paths === undefined) return withWorkspace([{ access: 'write', path: { root: 'workspace' } }]);
  const plain = plainCopy(paths, 'the list of paths of readWrite()');
  if (!Array.isArray(plain)) {
    throw new PolicyError(`the paths of readWrite() are ${describeJson(plain)}: pass an array of texts`);
  }
  return withWorkspace([{ access: 'read', path: { root: 'workspace' } }, ...plain.map(writeRule)]);
}

function writeRule(path: unknown, index: number): PolicyRule {
  if (typeof path !== 'string' || path === '') {
    throw new PolicyError(
      `path ${index} of readWrite() is ${describeJson(path)}: write a path, "." for the whole workspace`,
    );
  }
  return {
    access: 'write',
    path: path.startsWith('/') ? { absolute: path } : { root: 'workspace', relative: path },
  };
}

function withWorkspace(rules: readonly PolicyRule[]): Policy {
  return {
    formatVersion: 3,
    filesystem: {
      default: 'deny',
      rules: [
        { access: 'read', path: { special: 'minimal-runtime' } },
        ...rules,
        { access: 'write', path: { root: 'temp' } },
      ],
    },
    network: { mode: 'none' },
    root: { mode: 'read-only' },
    process: { treeConfinement: 'required' },
  };
}
