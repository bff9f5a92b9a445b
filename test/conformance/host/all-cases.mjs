// All cases for hosts, in the order of the contract.
import { conversation } from './cases/conversation.mjs';
import { endings } from './cases/endings.mjs';
import { frameViolations } from './cases/frame-violations.mjs';
import { sequenceViolations } from './cases/sequence-violations.mjs';
import { transportViolations } from './cases/transport-violations.mjs';

export const hostCases = [
  ...conversation,
  ...transportViolations,
  ...frameViolations,
  ...sequenceViolations,
  ...endings,
];
