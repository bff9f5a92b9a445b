/*
 * Prints 1 if this build trains its engine, 0 if not: the compiler must be GCC, and what it makes must run here. To build
 * without, in half the time, set WARDENPOOL_TRAIN_ENGINE=0.
 */
import { spawnSync } from 'node:child_process';

const [compiler = 'cc', ...options] = (process.env.CC || 'cc').split(' ').filter(Boolean);
const { stdout } = spawnSync(compiler, [...options, '--version'], { encoding: 'utf8' });
const isGcc = stdout?.includes('Free Software Foundation') ?? false;
console.log(isGcc && process.env.WARDENPOOL_TRAIN_ENGINE !== '0' ? 1 : 0);
