/**
 * How fast bytes go through `wardenpool run`, beside socat, which does the same without a sandbox: between our standard streams and a
 * command's descriptor 3. The command itself takes the time, so that no start counts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('cli/main.js', import.meta.resolve('wardenpool')));

/** The same for both. It says how many seconds its bytes took, from the first to the last. */
const PROGRAMS = {
  'to the command':
    'import os, sys, time\nn = len(os.read(3, 65536)); t = time.monotonic()\n' +
    'while True:\n  c = len(os.read(3, 65536)); n += c\n  if c == 0: break\n' +
    'sys.stderr.write(f"{n} {time.monotonic() - t}")',
  'from the command':
    'import os, sys, time\nleft = BYTES; b = bytes(65536); t = time.monotonic()\n' +
    'while left > 0: left -= os.write(3, b[:left])\n' +
    'sys.stderr.write(f"{BYTES} {time.monotonic() - t}")',
} as const;

export type Direction = keyof typeof PROGRAMS;
export const DIRECTIONS = Object.keys(PROGRAMS) as Direction[];
/** socat as it comes moves 8 KiB at a time; the other moves as much as we do. */
export const RELAYS = ['wardenpool run', 'socat', 'socat -b 65536'] as const;
export type Relay = (typeof RELAYS)[number];

/** MB per second. */
export async function relayOnce(relay: Relay, direction: Direction, bytes: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'wardenpool-bench-'));
  try {
    chmodSync(directory, 0o755);
    const program = join(directory, 'program.py');
    writeFileSync(program, PROGRAMS[direction].replaceAll('BYTES', String(bytes)));
    const relayed =
      relay !== 'wardenpool run'
        ? `${relay} - EXEC:"/usr/bin/python3 ${program}",fdin=3,fdout=3`
        : `${process.execPath} ${MAIN} run --workspace ${directory} -- /usr/bin/python3 program.py`;
    const pipe =
      direction === 'to the command'
        ? `head -c ${bytes} /dev/zero | ${relayed}`
        : `${relayed} </dev/null | cat >/dev/null`;
    const child = spawn('bash', ['-c', pipe], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    const [count, seconds] = said.split(' ').map(Number);
    if (count !== bytes || seconds === undefined || !(seconds > 0))
      throw new Error(
        `${relay}, ${direction}: ${said.trim() || 'no answer'} (it needs socat and /usr/bin/python3)`,
      );
    return bytes / seconds / 1e6;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
