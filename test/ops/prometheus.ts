/**
 * A real Prometheus for one test: on a free port of 127.0.0.1, in a directory of its own, with the configuration of `ops` in
 * which only addresses and intervals are others. Whoever starts it ends it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const OPS = fileURLToPath(new URL('../../ops/', import.meta.url));

const START_MS = 30_000;
const STOP_MS = 10_000;

/** One series of an answer of the query API. */
export interface Sample {
  metric: Record<string, string>;
  value: [time: number, value: string];
}

/** Runs promtool, and fails with what it said. */
export function promtool(...args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { cwd: OPS, encoding: 'utf8' });
  assert.equal(
    status,
    0,
    error === undefined ? `${stdout}${stderr}` : `promtool is missing: ${error.message}`,
  );
}

export class Prometheus {
  readonly #child: ChildProcess;
  readonly #directory: string;
  #address = '';
  /** Where a process ends without its hooks, this one ends with it. */
  readonly #kill = () => {
    this.#child.kill('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true });
  };

  /** `targets`: as `host:port`. Resolves when it answers. */
  static async start(targets: readonly string[]): Promise<Prometheus> {
    const text = configuration(targets);
    const directory = mkdtempSync(join(tmpdir(), 'wardenpool-prometheus-'));
    writeFileSync(join(directory, 'prometheus.yml'), text);
    const started = new Prometheus(directory);
    try {
      started.#address = await listening(started.#child);
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  private constructor(directory: string) {
    this.#directory = directory;
    this.#child = spawn(
      'prometheus',
      [
        '--config.file=prometheus.yml',
        '--storage.tsdb.path=data',
        '--web.listen-address=127.0.0.1:0',
        '--enable-feature=exemplar-storage',
      ],
      { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    process.once('exit', this.#kill);
  }

  /** An instant query. */
  async query(expression: string): Promise<Sample[]> {
    return ((await this.get('query', { query: expression })) as { result: Sample[] }).result;
  }

  /** The values of an instant query by one label of its series. */
  async values(expression: string, label: string): Promise<Record<string, number>> {
    const samples = await this.query(expression);
    return Object.fromEntries(samples.map(({ metric, value }) => [metric[label] ?? '', Number(value[1])]));
  }

  /** What the API answers at /api/v1/`path`. Fails with what it says is wrong. */
  async get(path: string, parameters: Record<string, string> = {}): Promise<unknown> {
    const response = await fetch(`http://${this.#address}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const answer = (await response.json()) as { status: string; error?: string; data: unknown };
    assert.equal(answer.status, 'success', `${path} ${JSON.stringify(parameters)}: ${answer.error}`);
    return answer.data;
  }

  async stop(): Promise<void> {
    process.off('exit', this.#kill);
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function configuration(targets: readonly string[]): string {
  const text = readFileSync(join(OPS, 'prometheus.yml'), 'utf8');
  return [
    ['scrape_interval: 15s', 'scrape_interval: 1s'],
    ['evaluation_interval: 15s', 'evaluation_interval: 1s'],
    ['- rules/recording.yml', `- ${OPS}rules/recording.yml`],
    ['- rules/alerts.yml', `- ${OPS}rules/alerts.yml`],
    ['localhost:9464', targets.join('", "')],
  ].reduce((changed, [from = '', to = '']) => {
    assert.ok(changed.includes(from), `ops/prometheus.yml has no "${from}" any more`);
    return changed.replace(from, to);
  }, text);
}

/** Its address, which it says itself, since the port is the kernel's choice; when it answers there. */
async function listening(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  const { stderr } = child;
  assert.ok(stderr);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`prometheus ${what}\n${said.join('\n')}`));
      timer = setTimeout(() => fail('did not get ready in time'), START_MS);
      child.once('error', ({ message }) => fail(`is missing, run "npm run setup": ${message}`));
      child.once('exit', (code) => fail(`ended with code ${code}`));
      let address: string | undefined;
      let isReady = false;
      createInterface(stderr).on('line', (line) => {
        said.push(line);
        // Two of its threads say so, each when it gets to it: either may be the first.
        address ??= /msg="Listening on" address=(\S+)/.exec(line)?.[1];
        isReady ||= line.includes('Server is ready to receive web requests');
        if (isReady && address !== undefined) resolve(address);
      });
    });
  } finally {
    clearTimeout(timer);
  }
}
