/** All cases for runners, in the order of the contract. */
import type { Case } from '../report/cases.js';
import { processes } from './cases/command-line.js';
import { environmentExtensions } from './cases/environment-extensions.js';
import { errors } from './cases/errors.js';
import { extensions } from './cases/extensions.js';
import { frames } from './cases/frames.js';
import { guestWorld } from './cases/guest-world.js';
import { stopping } from './cases/stopping.js';
import { transport } from './cases/transport.js';
import type { Subject } from './conversation.js';

const sections = [
  transport,
  ...frames,
  ...errors,
  ...processes,
  ...guestWorld,
  ...stopping,
  ...extensions,
  ...environmentExtensions,
];

export function runnerCases(subject: Subject): Case[] {
  return sections.flatMap((section) => section(subject));
}
