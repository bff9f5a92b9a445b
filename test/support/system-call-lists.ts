/** The lists that the seccomp filters are made of, as native/calls prints them: what docs/system-calls.md is written from. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface AllowedCall {
  name: string;
  number: number;
  reason: string;
  /** Which one from 0, if it depends on one. */
  argument?: number;
  argumentName?: string;
  /** "between": the two values and what lies between them. */
  rule?: 'between' | 'one of';
  values?: number[];
  /** As they are written in the source. */
  valueNames?: string;
}

export interface RefusedCall {
  name: string;
  number: number;
  error: 'EPERM' | 'ENOSYS';
  reason: string;
  /** With which arguments it is refused; default: with all. */
  arguments?: string;
}

export interface SystemCallLists {
  zygote: AllowedCall[];
  preparation: AllowedCall[];
  runner: AllowedCall[];
  cloneFlags: Record<'shared' | 'own' | 'none', number>;
  command: RefusedCall[];
  /** A command finds no call with this number or a greater one. */
  firstUnknown: number;
}

const PROGRAM = fileURLToPath(new URL('../../build/Release/system-call-lists', import.meta.url));

export function systemCallLists(): SystemCallLists {
  return JSON.parse(execFileSync(PROGRAM, { encoding: 'utf8' })) as SystemCallLists;
}
