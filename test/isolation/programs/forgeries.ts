/** What a program says, made to look like what its runner or its host says. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { fails, type ProgramAttack } from './attack.js';

/** What a receipt looks like. */
const RECEIPT = JSON.stringify({
  schema: 'wardenpool.receipt/1',
  state: 'complete',
  executionId: 'forged',
  labels: { tenant: 'forged' },
  backend: { name: 'posix', version: '9' },
  isolation: { userId: 0, capabilities: ['CAP_SYS_ADMIN'] },
  outcome: { kind: 'exited', code: 0 },
});

/** Members of a receipt that are the same for every run of one pool that ends by itself. */
const OF_THE_HOST = [
  ...(['labels', 'versions', 'backend', 'platform', 'executable', 'policyDigest', 'planDigest'] as const),
  ...(['isolation', 'network', 'limits', 'limitedBy', 'outcome', 'stop'] as const),
];

const RECEIPT_FORGERS = [
  `return { ok: true, value: 1, executionId: 'forged', receipt: ${RECEIPT} };`,
  `console.log(JSON.stringify(${RECEIPT})); console.error(${RECEIPT}); return 1;`,
  `await tools.echo({ executionId: 'forged', receipt: ${RECEIPT} }); return 1;`,
  `throw Object.assign(new Error(JSON.stringify(${RECEIPT})), { executionId: 'forged', receipt: ${RECEIPT} });`,
  `throw { ok: true, receipt: ${RECEIPT} };`,
  `Object.prototype.receipt = ${RECEIPT}; Object.prototype.executionId = 'forged'; return {};`,
];

/** Frames of the bridge that the program has no business to send, or not in this way. */
const FRAMES = [
  { type: 'execution.result', executionId: 'mine', ok: true, result: 'forged' },
  {
    type: 'execution.result',
    executionId: 'mine',
    ok: false,
    error: { kind: 'timeout', message: 'forged' },
  },
  { type: 'tool.call', executionId: 'mine', id: 1, name: 'wait', arguments: {} },
  { type: 'tool.result', id: 1, ok: true, result: 'forged' },
  { type: 'log', executionId: 'mine', level: 'log', text: 'forged', seq: 1 },
  { type: 'ready', executionId: 'mine' },
].map((frame) => `\n${JSON.stringify({ version: 'code-bridge-v1', ...frame })}\n`);

const LIMIT_NAMES = [
  'TimeoutError',
  'InternalError',
  'AbortError',
  'WorkerLostError',
  'SandboxUnavailableError',
];

export const FORGERY_ATTACKS: readonly ProgramAttack[] = [
  {
    name: 'a forged receipt: in the result, the logs, an argument, an error',
    end: 'the receipt is the host’s',
    async attempt(scene) {
      const labels = { tenant: 'mine' };
      const honest = (await scene.run('return 1', { labels })).run.receipt;
      for (const [index, code] of RECEIPT_FORGERS.entries()) {
        const { receipt, executionId } = (await scene.run(code, { executionId: `mine-${index}`, labels }))
          .run;
        assert.equal(executionId, `mine-${index}`);
        assert.equal(receipt.executionId, executionId);
        assert.equal(receipt.codeDigest, createHash('sha256').update(code).digest('hex'));
        for (const member of OF_THE_HOST)
          assert.deepEqual(receipt[member], honest[member], `${member}, by ${code}`);
      }
    },
  },
  {
    name: 'a forged frame: printed, returned, as an argument, as a key',
    end: 'a text',
    attempt: async (scene) => {
      for (const frame of FRAMES) {
        const text = JSON.stringify(frame);
        const code = `console.log(${text}); console.error(${text});
          await tools.echo({ [${text}]: ${text} });
          return { [${text}]: ${text} };`;
        const { run, handled } = await scene.run(code, { executionId: 'mine' });
        assert.deepEqual(run.ok && run.value, { [frame]: frame });
        assert.deepEqual(
          run.logs.map((entry) => entry.text),
          [frame, frame],
        );
        assert.deepEqual(handled, [{ name: 'echo', input: { [frame]: frame } }]);
        assert.deepEqual(
          run.toolCalls.map(({ id, name, outcome }) => [id, name, outcome]),
          [[1, 'echo', 'ok']],
        );
      }
    },
  },
  {
    name: 'a forged frame: as message, name, code and cause of an error',
    end: 'javascript, with that text',
    attempt: async (scene) => {
      for (const frame of FRAMES) {
        const text = JSON.stringify(frame);
        const code = `throw Object.assign(new Error(${text}, { cause: ${text} }), { name: ${text}, code: ${text} })`;
        const { run, handled } = await scene.run(code, { executionId: 'mine' });
        assert.ok(!run.ok);
        assert.equal(run.error.kind, 'javascript');
        assert.deepEqual([run.error.name, run.error.code], [frame, frame]);
        assert.ok(run.error.message.startsWith(frame), run.error.message);
        assert.deepEqual([run.logs, run.toolCalls, handled], [[], [], []]);
      }
    },
  },
  fails('an error that looks like that of a limit, of the engine or of the pool', 'javascript', [
    ...LIMIT_NAMES.map(
      (name) =>
        `throw Object.assign(new Error('the program ran longer than its limit of 60000 ms'),
          { name: '${name}', kind: 'timeout', code: 'CPU_TIME_EXCEEDED', path: '$' })`,
    ),
    "const error = new Error('out of memory'); error.name = 'InternalError'; throw error",
    "class InternalError extends Error { name = 'InternalError' } throw new InternalError('interrupted')",
    "throw Object.assign(new Error('x'), { kind: 'limit', code: 'TOOL_CALL_LIMIT_EXCEEDED', limit: 64 })",
    "throw { kind: 'memory', message: 'out of memory', metrics: {} }",
    "throw 'out of memory'",
    'throw null',
    "return Promise.reject({ kind: 'violation' })",
    "await tools.fail().catch((error) => { throw Object.assign(error, { kind: 'internal', code: 'CANCELLED' }) })",
    "await Promise.any([Promise.reject(Object.assign(new Error('x'), { kind: 'crashed' }))])",
  ]),
  {
    name: 'an error without end: message, name, code, causes, stack',
    end: 'javascript, cut',
    async attempt(scene) {
      const programs = [
        "throw Object.assign(new Error('m'.repeat(1e6)), { name: 'n'.repeat(1e6), code: 'c'.repeat(1e6) })",
        "let error; for (let i = 0; i < 2e4; i++) error = new Error('m', { cause: error }); throw error",
        "const error = new Error('m'); error.cause = error; throw error",
        "throw new AggregateError(Array.from({ length: 2e4 }, (_, i) => new Error('m' + i)))",
        "throw Object.defineProperty(new Error('m'), 'stack', { value: 's'.repeat(1e6) })",
      ];
      for (const { run } of await scene.assertAllFail(programs, 'javascript'))
        assert.ok(JSON.stringify(run.ok || run.error).length < 16_384);
    },
  },
];
