/** Profiles as text: nothing here runs them, since that takes macOS. */
import assert from 'node:assert/strict';
import { readOnly } from 'wardenpool/executor';
import {
  type SeatbeltRequest,
  sandboxExecArguments,
  seatbeltProfile,
} from '../../../src/executor/command/seatbelt-profile.js';
import { missingFor } from './run-command.js';

type Rule = SeatbeltRequest['rules'][number];

const TEMP = '/private/var/folders/T';
const EXECUTABLE = '/bin/ls';

const rule = (access: Rule['access'], path: string, others: Partial<Rule> = {}): Rule => ({
  access,
  path,
  scope: 'tree',
  root: 'host',
  protectCreate: false,
  ...others,
});

const profileOf = (rules: readonly Rule[], network: 'none' | 'direct' = 'none') =>
  seatbeltProfile({ rules, temp: TEMP, executable: EXECUTABLE, network });

/** The profile as nested lists of words; fails for what is no SBPL. */
type Expression = string | Expression[];
function parsed(text: string): Expression[] {
  const tokens = text.match(/[()]|"(?:[^"\\])*"|[^\s()"]+/g) ?? [];
  assert.equal(
    tokens.join('').length,
    text.replace(/\s(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '').length,
    'no other characters',
  );
  const stack: Expression[][] = [[]];
  for (const token of tokens) {
    if (token === '(') stack.push([]);
    else if (token === ')') {
      const list = stack.pop() ?? assert.fail('too many )');
      (stack.at(-1) ?? assert.fail('too many )')).push(list);
    } else (stack.at(-1) ?? assert.fail()).push(token);
  }
  assert.equal(stack.length, 1, 'every ( has its )');
  return stack[0] ?? [];
}

/** Each statement as `action operations filter path`, parameters resolved; those that name no path are left out. */
function statements({ text, parameters }: ReturnType<typeof profileOf>): string[] {
  return parsed(text).flatMap((statement) => {
    assert.ok(Array.isArray(statement));
    return statement.flatMap((part) => {
      if (!Array.isArray(part) || !Array.isArray(part[1]) || part[1][0] !== 'param') return [];
      const name = String(part[1][1]).slice(1, -1);
      const operations = statement.filter((each) => typeof each === 'string').join(' ');
      return [`${operations} ${part[0]} ${parameters[name]}`];
    });
  });
}

describe('executor: seatbelt', () => {
  it('denies by default, and allows processes, facts of the machine and no more', () => {
    const statementsOf = parsed(profileOf([]).text);
    assert.deepEqual(statementsOf.slice(0, 2), [
      ['version', '1'],
      ['deny', 'default'],
    ]);
    const allowed = statementsOf.filter(([action]) => action === 'allow').map((each) => each[1]);
    assert.deepEqual(allowed, [
      'process-fork',
      'signal',
      'process-info*',
      'sysctl-read',
      'mach-lookup',
      'file-read-metadata',
      'file-ioctl',
      'file-write-data',
      'process-exec*',
      'file-read*',
    ]);
  });

  it('grants before it denies, and denies writes before everything', () => {
    const rules = [
      rule('deny', '/w/secret'),
      rule('deny-write', '/w/fixed', { scope: 'exact' }),
      rule('write', '/w'),
      rule('read', '/r'),
    ];
    assert.deepEqual(
      statements(profileOf(rules)).filter((each) => !each.endsWith(EXECUTABLE)),
      [
        'allow file-read* subpath /w',
        'allow file-read* subpath /r',
        'allow process-exec* file-map-executable subpath /w',
        'allow process-exec* file-map-executable subpath /r',
        'allow file-write* subpath /w',
        'deny file-write* literal /w/fixed',
        'deny file-read* file-write* process-exec* file-map-executable subpath /w/secret',
      ],
    );
  });

  it('says the same whatever the order of the rules', () => {
    const rules = [rule('write', '/w'), rule('deny', '/w/secret'), rule('read', '/r')];
    const forward = statements(profileOf(rules));
    const backward = statements(profileOf([...rules].reverse()));
    assert.deepEqual([...backward].sort(), [...forward].sort());
    assert.match(backward.at(-1) ?? '', /^deny/);
  });

  it('shows the runtime of macOS for that of the policy, and the private temp where it was', () => {
    const lines = statements(
      profileOf([
        rule('read', '/usr/lib', { root: 'minimal-runtime' }),
        rule('write', TEMP, { root: 'temp' }),
      ]),
    );
    assert.ok(lines.includes('allow file-read* subpath /System/Library'));
    assert.ok(!lines.some((line) => /write.*\/(System|usr)/.test(line)));
    assert.ok(lines.includes(`allow file-write* subpath ${TEMP}`));
  });

  it('allows the program itself, and only it, to be executed where no rule shows it', () => {
    const lines = statements(profileOf([]));
    assert.deepEqual(lines, [
      `allow process-exec* file-map-executable literal ${EXECUTABLE}`,
      `allow file-read* literal ${EXECUTABLE}`,
    ]);
  });

  it('has no network, or the host’s', () => {
    assert.match(profileOf([]).text, /\(deny network\*\)\n$/);
    assert.doesNotMatch(profileOf([], 'direct').text, /deny network/);
    assert.match(profileOf([], 'direct').text, /\(allow network\*\)/);
  });

  it('has every path as a parameter, and none in its text', () => {
    const paths = [
      '/a")(allow default)(literal "',
      '/b\n(allow file-write* (subpath "/"))',
      "/c'$(id)`id`",
      '/d\\")',
      '/e ; comment',
      '/f=g',
      '/-p',
      '/ü\u2028',
    ];
    const profile = profileOf(paths.map((path) => rule('write', path)));
    const harmless = profileOf(paths.map((_, index) => rule('write', `/${index}`)));
    assert.equal(profile.text, harmless.text);
    assert.deepEqual(Object.values(profile.parameters), [...paths, EXECUTABLE]);
    const [program, ...rest] = sandboxExecArguments(profile, [EXECUTABLE, '-D', 'x=y']);
    assert.equal(program, '/usr/bin/sandbox-exec');
    assert.deepEqual(rest.slice(0, 2), ['-p', profile.text]);
    const definitions = [...paths, EXECUTABLE].flatMap((path, index) => ['-D', `PATH_${index}=${path}`]);
    assert.deepEqual(rest.slice(2), [...definitions, EXECUTABLE, '-D', 'x=y']);
  });

  it('is never available, and says why', async () => {
    const missing = await missingFor(['/bin/true'], { policy: readOnly(), backend: 'seatbelt' });
    assert.match(
      missing.join('\n'),
      /seatbelt: lifecycle: it is for macOS 15 or later; its profiles are generated and tested as text here, never run/,
    );
  });
});
