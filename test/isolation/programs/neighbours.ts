/** What one program leaves for the next, and does to those beside it: the sandboxes of one launcher. */
import assert from 'node:assert/strict';
import type { ProgramAttack, ProgramScene } from './attack.js';
import { DESCRIBE_WORLD, REACH, TEXTS } from './world.js';

/** Breaks whatever can be broken: patches, deletes and closes it. */
const PATCH = `${REACH}
  const patched = () => 'patched';
  const targets = [];
  reach((value) => { targets[targets.length] = value }, () => {});
  const { defineProperty, deleteProperty, preventExtensions } = Reflect;
  const [math, json, list] = [Math, JSON, []];
  const asItWas = [math.random, json.stringify, list.map];
  Object.prototype.left = 'by a neighbour';
  for (let i = 0; i < targets.length; i++) {
    const keys = ownKeys(targets[i]);
    for (let j = 0; j < keys.length; j++) {
      if (j % 8 === 7) deleteProperty(targets[i], keys[j]);
      else try { defineProperty(targets[i], keys[j], { value: patched }) } catch {}
    }
    if (i % 4 === 0) preventExtensions(targets[i]);
  }
  const isPatched = math.random !== asItWas[0] && json.stringify !== asItWas[1] && list.map !== asItWas[2] && {}.left !== undefined;
`;

const MARK = 'left by a neighbour';

/** Leaves a text wherever one can be left, and says whether it finds it there. */
const LEAVE = `${TEXTS}
  const mark = 'left by a ' + 'neighbour';
  globalThis[mark] = mark;
  globalThis[Symbol.for(mark)] = mark;
  for (const target of [Object.prototype, Array.prototype, Promise, Error, console, URL, crypto, tools.echo, Math, JSON, RegExp]) target[mark] = mark;
  Error.stackTraceLimit = 7;
  Error.prepareStackTrace = () => mark;
  /(left).*(neighbour)/.exec(mark);
  new URL('https://left-by-a-neighbour.example/');
  globalThis.registry = new FinalizationRegistry(() => console.log(mark));
  registry.register({}, mark);
  setTimeout(() => console.log(mark), 50);
  const bytes = new Uint8Array(2 ** 22).fill(0xa5);
  console.log(mark);
  await tools.echo({ mark });
  return bytes.length + texts().filter((text) => text.includes(mark)).length;
`;

/** What it finds of that, its own words spelt backwards: texts, settings, bytes. */
const FIND = `${TEXTS}
  const mark = [...'${[...MARK].reverse().join('')}'].reverse().join('');
  const found = texts().filter((text) => text.includes(mark));
  if (Error.stackTraceLimit === 7) found.push('stackTraceLimit');
  if (typeof Error.prepareStackTrace === 'function') found.push('prepareStackTrace');
  if (typeof RegExp.$1 === 'string' && RegExp.$1 !== '') found.push('RegExp.$1');
  for (let i = 0; i < 3; i++) if (new Uint8Array(2 ** 22).includes(0xa5)) found.push('bytes');
  return found;
`;

/** More than a host keeps ready: some of them are made when the one before is over. */
const NEXT_ONES = 6;

async function nextOnes(scene: ProgramScene, code: string): Promise<unknown[]> {
  return Promise.all(Array.from({ length: NEXT_ONES }, () => scene.value(code)));
}

const HOSTILE = [
  'for (;;);',
  'while (true) await null',
  'const all = []; for (;;) all.push(new Array(1000).fill(1))',
  'const f = () => f() + 1; for (;;) { try { f() } catch {} }',
  "for (;;) console.log('x'.repeat(1e5))",
  "const s = 'x'.repeat(1e5); for (;;) await tools.echo({ s })",
  'for (let i = 0; i < 5000; i++) tools.wait({ i }); for (;;);',
  `${PATCH} for (;;);`,
];

export const NEIGHBOUR_ATTACKS: readonly ProgramAttack[] = [
  {
    name: 'built-in objects, globals and prototypes patched, deleted and closed, for the next program',
    end: 'that one finds all as it was',
    async attempt(scene) {
      const asItWas = (await scene.value(DESCRIBE_WORLD)) as string[];
      assert.ok(asItWas.length > 2_000, `${asItWas.length} things are compared`);
      const [patched, ...besides] = await Promise.all([
        scene.value(`${PATCH} return isPatched`),
        ...Array.from({ length: 2 }, () => scene.value(DESCRIBE_WORLD)),
      ]);
      assert.equal(patched, true, 'it finds what it patched');
      for (const world of [...besides, ...(await nextOnes(scene, DESCRIBE_WORLD))])
        assert.deepEqual(world, asItWas);
    },
  },
  {
    name: 'data left for the next program: in globals, symbols, prototypes, settings, timers, memory',
    end: 'that one finds none',
    async attempt(scene) {
      assert.ok(Number(await scene.value(LEAVE)) > 2 ** 22 + 20, 'it finds what it left');
      for (const found of await nextOnes(scene, FIND)) assert.deepEqual(found, []);
    },
  },
  {
    name: 'random numbers of a neighbour: Math.random, crypto.randomUUID, crypto.getRandomValues',
    end: 'others in each sandbox of one launcher',
    async attempt(scene) {
      const code = `return [Math.random(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(16))].join()]`;
      const all = await Promise.all(Array.from({ length: 16 }, () => scene.value(code)));
      const numbers = all.flat();
      assert.equal(numbers.length, 64);
      assert.equal(new Set(numbers).size, numbers.length);
    },
  },
  {
    name: 'programs beside it, while it takes all that it can: CPU time, memory, stack, logs, calls',
    end: 'go on, each with its own result',
    async attempt(scene) {
      const limits = { timeoutMs: 150, memoryBytes: 4 * 2 ** 20, maxToolCalls: 10_000 };
      const hostile = HOSTILE.map((code) => scene.run(code, { limits }));
      const honest = Array.from({ length: 8 }, (_, n) =>
        scene.value(
          `let sum = 0; for (let i = 0; i < 3; i++) sum += (await tools.echo({ n: ${n} })).n; return sum`,
        ),
      );
      assert.deepEqual(
        await Promise.all(honest),
        Array.from({ length: 8 }, (_, n) => 3 * n),
      );
      for (const { run } of await Promise.all(hostile)) assert.ok(!run.ok, JSON.stringify(run));
    },
  },
];
