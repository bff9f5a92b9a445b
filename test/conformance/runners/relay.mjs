// A relay between a host and a good runner, which may spoil what passes through it; see mutations.mjs.
// Arguments: the mutation, then the runner and its own arguments.
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { mutations } from './mutations.mjs';

const [name = '', command = '', ...words] = process.argv.slice(2);
const mutation = mutations[name];
if (mutation === undefined) throw new Error(`there is no mutation '${name}'`);
const { input = (bytes) => bytes, output, trailer = '', exitCode = (code) => code, deaf = false } = mutation;

const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
const runner = /** @type {Socket} */ (child.stdio[3]);
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  process.on(signal, () => {
    // A child that was never started has no pid: Node may send it to our own process group.
    if (!deaf && child.pid !== undefined) child.kill(signal);
  });
}

const host = new Socket({ fd: 3, allowHalfOpen: true, readable: true, writable: true });
// Whoever of the two has ended leaves unread what it was sent.
host.on('error', () => {});
runner.on('error', () => {});
host.on('data', (chunk) => runner.write(Buffer.from(input(chunk.toString('latin1')), 'latin1')));
host.on('end', () => runner.end());

let text = '';
runner.setEncoding('utf8');
runner.on('data', (chunk) => {
  const lines = (text + chunk).split('\n');
  text = lines.pop() ?? '';
  for (const line of lines) {
    const frames = output === undefined ? [line] : output(JSON.parse(line));
    for (const frame of frames) host.write(`${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n`);
  }
});
child.on('close', (code) => {
  host.end(text + trailer, () => process.exit(exitCode(code ?? 1)));
  // Nobody may be there to read it any more.
  host.on('close', () => process.exit(exitCode(code ?? 1)));
});
