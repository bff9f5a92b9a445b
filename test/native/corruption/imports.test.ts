/**
 * What the engine imports from its host, called by guest code with addresses and lengths that no engine would use. An
 * import without a case here fails the first test.
 */
import assert from 'node:assert/strict';
import { attempt, closeLauncher, corruptionResult, NOT_ITS_OWN, trapped } from './helper.js';

const REFUSED =
  /^the engine had to stop the program: it (handed over an address outside its memory|wanted more random bytes at once than it may have)$/;

/** An address and a length, of which something lies outside of the memory. Expressions of the program. */
const REGIONS = [
  ['0', '16'],
  ['0xffffffff', '16'],
  ['0xfffffff0', '0x20'],
  ['16', '0xffffffff'],
  ['end()', '1'],
  ['end() - 8', '9'],
  ['end() + 65536', '8'],
] as const;

/** The same for a word of so many bytes. */
const words = (bytes: number): string[] => [
  '0',
  '0xffffffff',
  '0xfffffffc',
  'end()',
  `end() - ${bytes - 1}`,
  '0x80000000',
];

interface Import {
  /** Lists of arguments that must end in a trap. */
  trap: string[];
  /** Lists of arguments that look at nothing in memory, and the result that they must have. */
  harmless: [args: string, result: number][];
}

const IMPORTS: Record<string, Import> = {
  host_call: {
    trap: [
      ...REGIONS.map(([address, length]) => `${address}, ${length}, 0, 0, 0`),
      // The name of a host function that reads its argument, and an array of arguments that is nowhere.
      ...words(4).map((at) => `(write(1024, 'encodeUtf8'), 1024), 10, 0, 1, ${at}`),
    ],
    harmless: [],
  },
  host_get_timezone_offset: { trap: [], harmless: [['0xffffffff, 0xffffffff', 0]] },
  host_interrupt: { trap: [], harmless: [['', 0]] },
  host_module_load: { trap: [], harmless: [['0xffffffff, 0xffffffff', 0]] },
  host_module_normalize: { trap: [], harmless: [['0xffffffff, 0xffffffff', 0]] },
  host_promise_rejection: {
    trap: words(8)
      .filter((at) => at !== '0')
      .flatMap((at) => [`${at}, 1024, 0`, `1024, ${at}, 1`, `${at}, ${at}, 0`]),
    harmless: [['0, 0, 0', 0]],
  },
  clock_time_get: {
    trap: words(8).flatMap((at) => [`0, 0, ${at}`, `1, 0xffffffff, ${at}`, `0xffffffff, 0, ${at}`]),
    harmless: [],
  },
  random_get: {
    trap: REGIONS.map(([address, length]) => `${address}, ${length}`),
    harmless: [],
  },
  fd_write: {
    trap: [
      ...words(4).map((at) => `1, 1024, 0, ${at}`),
      // What wraps around is the guest's own again.
      ...words(8)
        .filter((at) => at !== '0' && at !== '0xffffffff')
        .map((at) => `2, ${at}, 1, 1024`),
      '1, 0xfffffff0, 0xffffffff, 1024',
    ],
    harmless: [
      ['0, 0xffffffff, 0xffffffff, 0xffffffff', 8],
      ['3, 0xffffffff, 0xffffffff, 0xffffffff', 8],
      ['0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff', 8],
    ],
  },
  fd_close: {
    trap: [],
    harmless: [
      ['3', 52],
      ['0xffffffff', 52],
    ],
  },
  fd_seek: { trap: [], harmless: [['3, 0, 0, 0xffffffff', 52]] },
  fd_fdstat_get: {
    trap: words(24).flatMap((at) => [`1, ${at}`, `2, ${at}`]),
    harmless: [['3, 0xffffffff', 8]],
  },
};

after(closeLauncher);

describe('corruption: imports of the engine', () => {
  it('each of them has its cases here', async () => {
    const names = (await corruptionResult('return corrupt.names;')) as string[];
    assert.deepEqual(
      names.filter((name) => name.startsWith('import_')).sort(),
      Object.keys(IMPORTS)
        .map((name) => `import_${name}`)
        .sort(),
    );
  });

  for (const [name, { trap, harmless }] of Object.entries(IMPORTS)) {
    it(`${name} with hostile arguments is a trap, or does nothing`, async () => {
      for (const args of trap) await trapped(`return corrupt.import_${name}(${args});`, REFUSED);
      for (const [args, result] of harmless)
        assert.equal(await corruptionResult(`return corrupt.import_${name}(${args});`), result, args);
    });
  }

  it('fd_write shows at most a line or two, whatever it is told to show', async () => {
    const code = `
      for (let i = 0; i < 16; i++) { corrupt.store32(4096 + i * 8, 8192); corrupt.store32(4096 + i * 8 + 4, 100000); }
      return corrupt.import_fd_write(2, 4096, 16, 2048);
    `;
    const { frames, diagnostics } = await attempt(code);
    assert.equal(frames.at(-1)?.result, 0);
    assert.ok(diagnostics.length <= 512, `${diagnostics.length} bytes`);
  });

  it('a host function that does not exist, by a name as long as the memory, is a trap', async () => {
    await trapped(
      'return corrupt.import_host_call(1024, end() - 1024, 0, 0, 0);',
      /a function that does not exist/,
    );
    await trapped(
      "corrupt.fill(2048, 0x30, 200000); corrupt.store8(2048, '#'.charCodeAt()); return corrupt.import_host_call(2048, 200000, 0, 0, 0);",
      /does not exist/,
    );
    await trapped('return corrupt.import_host_call(end() - 3, 4, 0, 0, 0);', NOT_ITS_OWN);
  });
});
