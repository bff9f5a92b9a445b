// Our own host as a command: see ../README.md for what the suite expects of it. Arguments: the runner to start.
import { text } from 'node:stream/consumers';
import { runProgram } from './session-host.mjs';

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const runner = process.argv.at(-1) ?? '';
process.stdout.write(`${await runProgram(runner, await text(process.stdin), stop.signal)}\n`);
