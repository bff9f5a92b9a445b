/** All cases for runners, in the order of the contract. */
import type { Case } from '../report/cases.js';
import { frames } from './cases/frames.js';
import { transport } from './cases/transport.js';
import type { Subject } from './conversation.js';

const sections = [transport, ...frames];

export function runnerCases(subject: Subject): Case[] {
  return sections.flatMap((section) => section(subject));
}
