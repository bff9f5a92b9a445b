// What the benchmark leaves for people: the table for a terminal, and the page of charts.
import assert from 'node:assert/strict';
import type { Spread } from '../../bench/measure.js';
import { page } from '../../bench/report/page.js';
import { table } from '../../bench/report/table.js';
import type { MeasureRow, Results, ThroughputRow } from '../../bench/results.js';

/** A name that would break a page into which it is copied as it is. */
const HOSTILE = '<b>"&\'';

const around = (median: number): Spread => ({ median, min: median * 0.9, max: median * 1.2 });

function throughputRow(workload: string, inFlight: number, subject: string, rate: number): ThroughputRow {
  const row = {
    workload,
    inFlight,
    subject,
    perSecond: around(rate),
    p50Ms: around((800 * inFlight) / rate),
    p99Ms: around((2_400 * inFlight) / rate),
    cpuMs: around(1_800 / rate),
  };
  if (subject === 'floor') return row;
  return { ...row, toFloor: { perSecond: around(0.78), p50Ms: around(1.4), cpuMs: around(1.3) } };
}

function measureRow(
  group: string,
  name: string,
  subject: string,
  unit: MeasureRow['unit'],
  median: number,
): MeasureRow {
  return { group, name, subject, unit, value: around(median) };
}

const RESULTS: Results = {
  at: '2026-02-03T14:15:16.789Z',
  command: 'npm run bench -- --rounds 7',
  rounds: 7,
  smoke: false,
  machine: {
    kernel: '6.1.0-18-cloud-amd64',
    cpu: 'Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz',
    threads: 2,
    memoryBytes: 8_322_949_120,
    node: 'v20.20.2',
  },
  throughput: [1, 16].flatMap((inFlight) => [
    throughputRow('no call', inFlight, 'wardenpool', 12_345),
    throughputRow('no call', inFlight, 'floor', 16_789),
    throughputRow('1 call', inFlight, 'wardenpool', 290),
    throughputRow('1 call', inFlight, 'floor', 372),
    throughputRow('1 call', inFlight, 'wardenpool, strict', 116),
    throughputRow('1 call', inFlight, 'floor, strict', 156),
    throughputRow('1 call', inFlight, 'bwrap + code-runner', 43.1),
    throughputRow('1 call', inFlight, HOSTILE, 17),
  ]),
  measures: [
    measureRow('wait for a sandbox', 'warm', 'wardenpool', 'ms', 0.21),
    measureRow('wait for a sandbox', 'cold', 'wardenpool', 'ms', 4.2),
    measureRow('memory of a sandbox', 'waiting for a tool, PSS', 'wardenpool', 'KB', 612),
    measureRow('memory of a sandbox', 'threads more with 1000 waiting', 'wardenpool', 'count', 0),
    {
      ...measureRow('memory of a sandbox', 'slowdown of others by 1000 waiting', 'wardenpool', 'ratio', 0.05),
      value: { median: 0.05, min: -0.02, max: 0.11 },
    },
    measureRow('guest compute', 'fib(27)', 'wardenpool', 'ms', 130),
    measureRow('guest compute', 'fib(27)', 'native QuickJS', 'ms', 100),
    measureRow('guest compute', 'fib(27)', 'same module under V8', 'ms', 190),
    measureRow('load', "delay of the main thread's event loop, p99, 128 in flight", 'wardenpool', 'ms', 2.7),
  ],
  goals: [
    {
      name: 'rate, 1 call, 16 in flight, to the floor',
      goal: '≥ 0.75',
      reached: around(0.78),
      unit: 'ratio',
      met: true,
    },
    {
      name: 'CPU per execution, 1 call, 16 in flight, to the floor',
      goal: '≤ 1.4',
      reached: around(1.42),
      unit: 'ratio',
      met: false,
    },
  ],
};

/** A floor that took no CPU time that the kernel's clock could see, as in a very short run. */
const UNMEASURABLE: Results = {
  ...RESULTS,
  throughput: RESULTS.throughput.map((row) => ({
    ...row,
    cpuMs: { median: 0, min: 0, max: 0 },
    p50Ms: { median: Number.NaN, min: Number.NaN, max: Number.NaN },
    ...(row.toFloor && {
      toFloor: {
        ...row.toFloor,
        cpuMs: { median: Number.NaN, min: Number.NaN, max: Number.POSITIVE_INFINITY },
      },
    }),
  })),
};

const NOTHING: Results = { ...RESULTS, throughput: [], measures: [], goals: [] };

/** Elements that HTML knows without an end. */
const VOID = new Set(['meta']);

/** @throws if an element is not closed where it must be. */
function assertBalanced(html: string): void {
  const open: string[] = [];
  // A style sheet is no markup, and quoted values may contain anything that is escaped.
  const markup = html.replace(/<style\b[^>]*>[^<]*<\/style>/g, '').replace(/^<!DOCTYPE html>/, '');
  for (const [tag, end, name = '', empty] of markup.matchAll(/<(\/?)([a-zA-Z][\w-]*)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end) assert.equal(open.pop(), name, `${tag} closes nothing that is open`);
    else if (!empty && !VOID.has(name)) open.push(name);
  }
  assert.deepEqual(open, []);
  assert.doesNotMatch(markup.replace(/<\/?[a-zA-Z][^<>]*>/g, ''), /[<>]/, 'a < or > that is not escaped');
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

describe('the page of charts', () => {
  const html = page(RESULTS);

  it('is well-formed', () => {
    assertBalanced(html);
  });

  it('has a drawing, described in words, and its figures for every chart', () => {
    // Rate, CPU time and latency at 1 and at 16 in flight, and one for each group and unit of the measures.
    const charts = 2 + 2 + 2 + 6;
    assert.equal(count(html, /<figure>/g), charts);
    assert.equal(count(html, /<figcaption>[^<]+<\/figcaption>/g), charts);
    assert.equal(count(html, /<svg [^>]*role="img" aria-label="[^"]{20,}">/g), charts);
    assert.equal(count(html, /<details><summary>/g), charts);
  });

  it('needs nothing from elsewhere', () => {
    for (const reference of [/https?:/i, /\bsrc\s*=/i, /<script/i, /<link/i, /@import/i, /url\((?!#)/i]) {
      assert.doesNotMatch(html, reference);
    }
  });

  it('shows names as text, whatever is in them', () => {
    assert.ok(!html.includes(HOSTILE));
    assert.ok(html.includes('&lt;b&gt;&quot;&amp;&#39;'));
  });

  it('begins with the rate and its ratios at 1 call and 16 in flight', () => {
    const [cards = ''] = html.match(/<section aria-label="The most important figures">.*?<\/section>/s) ?? [];
    for (const value of ['>290<', '>0.78 ×<', '>6.73 ×<'])
      assert.ok(cards.includes(value), `${value} is missing`);
  });

  it('says which goals are met', () => {
    assert.match(html, /1 of 2 met/);
    assert.equal(count(html, /<li class="met">/g), 1);
    assert.equal(count(html, /<li class="missed">/g), 1);
  });

  it('says on which machine, when and by which command it was made', () => {
    for (const text of ['Platinum 8370C', '2026-02-03 14:15 UTC', 'npm run bench -- --rounds 7']) {
      assert.ok(html.includes(text), `${text} is missing`);
    }
  });

  it('warns of the figures of a smoke run, and of no others', () => {
    assert.match(page({ ...RESULTS, smoke: true, rounds: 1 }), /Smoke run/);
    assert.doesNotMatch(html, /Smoke run/);
  });

  it('shows guest compute relative to native QuickJS', () => {
    assert.match(
      html,
      /<th scope="row">same module under V8<\/th><td>190 \(171-228\)<\/td><td>1\.90 \(1\.71-2\.28\)<\/td>/,
    );
  });

  it('has a dash for what could not be measured', () => {
    const dashed = page(UNMEASURABLE);
    assertBalanced(dashed);
    assert.match(dashed, /<td>–/);
    assert.doesNotMatch(dashed, /NaN|Infinity|undefined/);
  });

  it('leaves out what was not measured at all', () => {
    assertBalanced(page(NOTHING));
    assert.doesNotMatch(page(NOTHING), /<svg|<ul/);
  });
});

describe('the table of the benchmark', () => {
  const text = table(RESULTS);

  it('has a line for every row', () => {
    const lines = text.split('\n');
    for (const { subject, perSecond, p99Ms } of RESULTS.throughput) {
      const ofSubject = lines.filter((line) => line.startsWith(`    ${subject} `));
      for (const { median } of [perSecond, p99Ms]) {
        const figure = median >= 100 ? median.toFixed(0) : median.toFixed(median >= 10 ? 1 : 2);
        assert.ok(
          ofSubject.some((line) => line.includes(` ${figure} (`)),
          `${subject}: ${figure} is missing`,
        );
      }
    }
    for (const { name } of [...RESULTS.measures, ...RESULTS.goals]) {
      assert.ok(
        lines.some((line) => line.startsWith(`  ${name}`)),
        `${name} is missing`,
      );
    }
  });

  it('fits into 120 columns', () => {
    const tooLong = text.split('\n').filter(({ length }) => length > 120);
    assert.deepEqual(tooLong, []);
  });

  it('shows the ratio to the floor beside the figure', () => {
    assert.match(text, /^ {4}wardenpool +290 \(261-348\) +0\.78 \(0\.70-0\.94\) /m);
  });

  it('tells the sign of a figure below nothing from the dash of a range', () => {
    assert.match(text, /0\.050 \(-0\.020 to 0\.110\)/);
  });

  it('says in words whether a goal is met', () => {
    assert.match(text, /to the floor +✓ met +≥ 0\.75 /);
    assert.match(text, /to the floor +✗ not met +≤ 1\.4 /);
  });

  it('warns of the figures of a smoke run', () => {
    assert.match(table({ ...RESULTS, smoke: true }), /SMOKE RUN/);
    assert.doesNotMatch(text, /SMOKE RUN/);
  });

  it('has a dash for what could not be measured', () => {
    assert.match(table(UNMEASURABLE), / –/);
    assert.doesNotMatch(table(UNMEASURABLE), /NaN|Infinity|undefined/);
  });
});
