/** A resource limit of a process that runs already: how a machine is made to refuse something, for one launcher alone. */
import { execFileSync } from 'node:child_process';
import { statusField } from './processes.js';

/** `option`: of prlimit(1), as `--nproc=0:0`. As the user of the process, who may: root without CAP_SYS_RESOURCE may not. */
export function limitResource(pid: number, option: string): void {
  const id = (field: string) => Number(statusField(pid, field).split(/\s+/)[0]);
  const user = process.geteuid?.() === 0 ? { uid: id('Uid'), gid: id('Gid') } : {};
  execFileSync('prlimit', ['--pid', String(pid), option], { ...user, stdio: 'pipe' });
}
