/** Whom a campaign kills: processes of a host, by what they are to it. */
import { readFileSync } from 'node:fs';
import { descendants, launchersOf, parentOf, sandboxesOf } from '../../support/processes.js';
import { oneOf } from './random.js';

export const ROLES = ['host', 'launcher', 'runner', 'launcher of a command'] as const;
export type Role = (typeof ROLES)[number];

/** The PID of one, at random; undefined if there is none at the moment: they come and go. */
export function victim(role: Role, host: number, random: () => number): number | undefined {
  switch (role) {
    case 'host':
      return host;
    case 'launcher':
      return oneOf(launchersOf(host), random);
    case 'runner':
      return oneOf(sandboxesOf(host), random);
    case 'launcher of a command':
      return oneOf(commandLaunchersOf(host), random);
  }
}

/** All processes of a pool have the same name; what a launcher has below it that has another is a command. */
function commandLaunchersOf(host: number): number[] {
  const parents = descendants(host)
    .filter((pid) => nameOf(pid) !== OUR_NAME)
    .flatMap((pid) => parentOf(pid) ?? []);
  return [...new Set(parents)].filter((pid) => nameOf(pid) === OUR_NAME);
}

const OUR_NAME = 'wardenpool';

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
