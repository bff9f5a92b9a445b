// The arrows between the layers of src/, as the linter enforces them: a case for every arrow that is forbidden, and
// for every arrow that is allowed.
import assert from 'node:assert/strict';
import { type Layout, lintLayout, type Verdicts } from './layout-lint.js';

const layers = [
  'bridge',
  'cli',
  'executor',
  'options',
  'policy',
  'pool',
  'source',
  'supply',
  'tools',
] as const;
type Layer = (typeof layers)[number];

/** What each layer may import freely; everything else is forbidden, but for the exceptions below. */
const allowed: Record<Layer, readonly Layer[]> = {
  bridge: [],
  cli: ['pool', 'source', 'tools'],
  executor: ['options', 'policy', 'supply'],
  options: [],
  policy: [],
  pool: ['bridge', 'options', 'source', 'supply', 'tools'],
  source: [],
  supply: [],
  tools: [],
};

const layout: Layout = new Map();
let verdicts: Verdicts;

function verdictLater(path: string, line: string): () => string[] {
  const lines = layout.get(path) ?? [];
  layout.set(path, lines);
  const number = lines.push(line);
  return () => verdicts.about(path, number);
}

function passes(title: string, path: string, line: string): void {
  const verdict = verdictLater(path, line);
  it(title, () => assert.deepEqual(verdict(), [], `${path}: ${line}`));
}

function fails(title: string, path: string, line: string, because: RegExp): void {
  const verdict = verdictLater(path, line);
  it(title, () => {
    const messages = verdict();
    assert.notDeepEqual(messages, [], `not refused: ${path}: ${line}`);
    assert.match(messages.join('\n'), because);
  });
}

const importing = (specifier: string): string => `import '${specifier}';`;

describe('import direction', () => {
  before(() => {
    verdicts = lintLayout(layout);
  });

  describe('between layers', () => {
    for (const from of layers) {
      for (const to of layers) {
        if (from === to) continue;
        const file = importing(`../${to}/file.js`);
        const nested = importing(`../../${to}/file.js`);
        if (allowed[from].includes(to)) {
          passes(`lets src/${from} import src/${to}`, `src/${from}/file.ts`, file);
        } else {
          fails(`refuses src/${from} importing src/${to}`, `src/${from}/file.ts`, file, /src\//);
          fails(
            `refuses src/${from}/folder importing src/${to}`,
            `src/${from}/folder/file.ts`,
            nested,
            /src\//,
          );
        }
      }
    }
  });

  describe('within a layer', () => {
    for (const layer of layers) {
      passes(`lets src/${layer} import a neighbour`, `src/${layer}/file.ts`, importing('./other.js'));
      passes(`lets src/${layer} import its folder`, `src/${layer}/file.ts`, importing('./folder/other.js'));
      passes(
        `lets a folder import from src/${layer}`,
        `src/${layer}/folder/file.ts`,
        importing('../other.js'),
      );
    }
  });

  describe('to and from src/index', () => {
    for (const layer of layers) {
      const path = `src/${layer}/file.ts`;
      if (layer === 'cli') passes('lets src/cli import src/index', path, importing('../index.js'));
      else fails(`refuses src/${layer} importing src/index`, path, importing('../index.js'), /src\//);
    }
    for (const layer of layers) {
      const line = importing(`./${layer}/file.js`);
      if (layer === 'pool' || layer === 'tools') {
        passes(`lets src/index import src/${layer}`, 'src/index.ts', line);
      } else {
        fails(`refuses src/index importing src/${layer}`, 'src/index.ts', line, /src\/index may import only/);
      }
    }
  });

  describe('exceptions', () => {
    const worker = 'src/pool/worker/file.ts';
    passes('lets src/pool/worker import src/executor', worker, importing('../../executor/index.js'));
    passes('lets src/pool/worker import src/bridge', worker, importing('../../bridge/file.js'));
    for (const to of ['policy', 'cli']) {
      const because = /src\/pool\/worker may import only/;
      fails(`refuses src/pool/worker importing src/${to}`, worker, importing(`../../${to}/file.js`), because);
    }

    for (const name of ['doctor', 'doctor-text', 'run', 'run-options']) {
      const file = `src/cli/${name}.ts`;
      passes(`lets src/cli/${name} import src/executor`, file, importing('../executor/index.js'));
      for (const to of ['policy', 'bridge']) {
        const because = /src\/cli\/doctor and src\/cli\/run may import only/;
        fails(`refuses src/cli/${name} importing src/${to}`, file, importing(`../${to}/file.js`), because);
      }
    }

    const policy = 'src/cli/policy.ts';
    passes('lets src/cli/policy import src/policy', policy, importing('../policy/index.js'));
    passes('lets src/cli/policy-file do so', 'src/cli/policy-file.ts', importing('../policy/index.js'));
    for (const module of ['resolve-policy', 'real-path', 'minimal-runtime']) {
      passes(
        `lets src/cli/policy resolve policies: ${module}`,
        policy,
        importing(`../executor/${module}.js`),
      );
    }
    for (const path of ['executor/index', 'executor/executor', 'bridge/file']) {
      const because = /src\/cli\/policy may import only/;
      fails(`refuses src/cli/policy importing src/${path}`, policy, importing(`../${path}.js`), because);
    }

    const receipt = (path: string): string => `export type { Receipt } from '${path}';`;
    passes('lets src/pool name a receipt', 'src/pool/result.ts', receipt('../executor/receipt.js'));
    passes('lets src/index name a receipt', 'src/index.ts', receipt('./executor/receipt.js'));

    passes('lets src/bridge use executor types', 'src/bridge/types.ts', receipt('../executor/receipt.js'));
    for (const line of [
      `import { Executor } from '../executor/index.js';`,
      `import '../executor/index.js';`,
      `export { Executor } from '../executor/index.js';`,
      `export * from '../executor/index.js';`,
      `await import('../executor/index.js');`,
    ]) {
      fails(`refuses src/bridge to ${line}`, 'src/bridge/code.ts', line, /only types of src\/executor/);
    }

    passes(
      'lets src/options describe a value',
      'src/options/check.ts',
      importing('../tools/describe-value.js'),
    );

    for (const layer of ['bridge', 'options', 'policy', 'pool', 'source', 'tools']) {
      const line = importing('node:child_process');
      fails(
        `refuses src/${layer} knowing processes`,
        `src/${layer}/file.ts`,
        line,
        /must not know processes/,
      );
    }

    const undefinedDirection = /No import direction is defined/;
    fails('refuses an unknown layer', 'src/novelty/file.ts', importing('../pool/a.js'), undefinedDirection);
    fails('refuses deeper folders', 'src/pool/a/b/file.ts', importing('../../file.js'), undefinedDirection);
  });

  describe('every form of import', () => {
    const path = 'src/executor/forms.ts';
    const direct: Record<string, string> = {
      'a type import': `import type { Pool } from '../pool/pool.js';`,
      'a re-export': `export { createPool } from '../pool/pool.js';`,
      'a namespace re-export': `export * from '../pool/pool.js';`,
      'a dynamic import': `await import('../pool/pool.js');`,
      'an import assignment': `import pool = require('../pool/pool.js');`,
    };
    for (const [form, line] of Object.entries(direct)) {
      fails(`judges ${form}`, path, line, /src\/executor may import only/);
    }

    const hidden: Record<string, string> = {
      'an import inside a type': `export type P = import('../pool/pool.js').Pool;`,
      'a require call': `export const pool = require('../pool/pool.js');`,
      'a path that starts with ./..': importing('./../pool/pool.js'),
      'a path that turns round in an allowed layer': importing('../policy/../pool/pool.js'),
      'the package by its own name': importing('wardenpool'),
      'an entry point of the package by name': importing('wardenpool/executor'),
    };
    for (const [form, line] of Object.entries(hidden)) {
      fails(`refuses ${form}`, path, line, /cannot see through this form/);
    }

    passes('lets a module require package.json', path, `export const v = require('../../package.json');`);
    passes('lets a module import a package', path, importing('zod'));
  });
});
