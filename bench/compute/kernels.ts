/**
 * The guest compute kernels: six small programs that keep an interpreter busy in different ways, a tenth of a second or
 * two each. A kernel times itself, so that starting an engine is no part of the figure, and returns what it computed, so
 * that nothing wrong is timed.
 */

export interface Kernel {
  readonly name: string;
  /** The body of a function without parameters. Plain ECMAScript: it runs in every engine that is compared. */
  readonly body: string;
  /** What it returns. */
  readonly answer: number;
}

export const KERNELS: readonly Kernel[] = [
  {
    name: 'fib(30)',
    body: `const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
return fib(30);`,
    answer: 832_040,
  },
  {
    name: 'JSON round trips',
    body: `const rows = [];
for (let i = 0; i < 400; i++) {
  rows.push({ id: i, name: 'customer ' + i, paid: i % 3 === 0, amount: i * 1.25, tags: ['a' + (i % 7), 'b'], note: null });
}
let text = JSON.stringify(rows);
let length = 0;
for (let i = 0; i < 60; i++) {
  const copy = JSON.parse(text);
  copy[i].amount += 1;
  text = JSON.stringify(copy);
  length += text.length;
}
return length;`,
    answer: 2_157_540,
  },
  {
    name: 'regular expressions',
    body: `const lines = [];
for (let i = 0; i < 4000; i++) {
  lines.push('2024-0' + (1 + (i % 9)) + '-11 10.0.' + (i % 256) + '.7 GET /items/' + i + '?page=' + (i % 13) + ' 200 ' + i * 17);
}
const entry = /^(\\d{4})-(\\d\\d)-(\\d\\d) ((?:\\d{1,3}\\.){3}\\d{1,3}) (GET|POST) (\\S+?)(?:\\?page=(\\d+))? (\\d{3}) (\\d+)$/;
let sum = 0;
for (let round = 0; round < 5; round++) {
  for (const line of lines) {
    const match = entry.exec(line);
    sum += Number(match[2]) + Number(match[7]) + match[6].length;
  }
  sum += lines.join('\\n').replace(/[aeiou]+|\\d{2,}/gi, '#').length;
}
return sum;`,
    answer: 1_194_305,
  },
  {
    name: 'sort, 200,000 numbers',
    body: `const numbers = [];
let state = 12345;
for (let i = 0; i < 200000; i++) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  numbers.push(state % 1000003);
}
numbers.sort((a, b) => a - b);
let sum = 0;
for (let i = 0; i < numbers.length; i++) sum = (sum * 31 + numbers[i]) % 1000000007;
return sum;`,
    answer: 670_788_535,
  },
  {
    name: 'strings, maps and objects',
    body: `const words = [];
for (let i = 0; i < 80000; i++) words.push('word' + ((i * 7919) % 3001));
const text = words.join(' ');
const counts = new Map();
for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
const groups = {};
for (const [word, count] of counts) {
  const key = word.slice(-2);
  const group = (groups[key] ??= { words: 0, total: 0 });
  group.words += 1;
  group.total += count;
}
let out = '';
for (const key of Object.keys(groups).sort()) {
  const { words, total } = groups[key];
  out += key.toUpperCase() + ':' + words + '/' + total + ';';
}
let hash = 0;
for (let round = 0; round < 120; round++) {
  for (let i = 0; i < out.length; i++) hash = (hash * 33 + out.charCodeAt(i)) % 1000003;
}
return hash;`,
    answer: 375_147,
  },
  {
    name: 'typed arrays, matrix product',
    body: `const size = 110;
const a = new Float64Array(size * size);
const b = new Float64Array(size * size);
const c = new Float64Array(size * size);
for (let i = 0; i < a.length; i++) {
  a[i] = i % 17;
  b[i] = i % 13;
}
for (let row = 0; row < size; row++) {
  for (let column = 0; column < size; column++) {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += a[row * size + k] * b[k * size + column];
    c[row * size + column] = sum;
  }
}
let trace = 0;
for (let i = 0; i < size; i++) trace += c[i * size + i];
return trace;`,
    answer: 580_378,
  },
];

/** The kernel as the body of a function that returns the answer and the wall time of the body, ms. */
export function timed({ body }: Kernel): string {
  return `const startedAt = Date.now();
const answer = (() => {
${body}
})();
return { answer, ms: Date.now() - startedAt };`;
}

/** The same as an expression, whose value is that result as JSON text: for engines that only evaluate. */
export function timedExpression(kernel: Kernel): string {
  return `JSON.stringify((() => {\n${timed(kernel)}\n})())`;
}

/**
 * The wall time of the body by the clock of the program itself, ms.
 *
 * @throws if the answer is not the kernel's.
 */
export function timeOf(engine: string, { name, answer }: Kernel, result: unknown): number {
  const { answer: said, ms } = Object(result) as { answer?: unknown; ms?: unknown };
  if (said === answer && typeof ms === 'number') return ms;
  throw new Error(`${engine} answered ${JSON.stringify(result)} to the kernel "${name}", not ${answer}`);
}
