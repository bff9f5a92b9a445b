// Advisories about packages, and which of them scripts/audit-exceptions.json argues away. It knows nothing of who has them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExplainedError, root } from './project.mjs';

/**
 * @typedef {object} Advisory
 * @property {string} package
 * @property {string} id        its number in the advisory database, as GHSA-xxxx-xxxx-xxxx
 * @property {string} severity
 * @property {string} title
 *
 * @typedef {object} Exception   an advisory that is no danger to us
 * @property {string} package
 * @property {string} advisory   its id
 * @property {string} reason     why it is none: what would have to be so, and is not
 * @property {string} expires    the first day on which this has to be thought over again, as 2027-01-31; UTC
 */

const file = 'scripts/audit-exceptions.json';
const members = ['package', 'advisory', 'reason', 'expires'];

/**
 * @returns {Exception[]} Throws an ExplainedError if one of them lacks something.
 */
export function readExceptions() {
  const exceptions = JSON.parse(readFileSync(join(root, file), 'utf8'));
  for (const exception of exceptions) {
    const wrong = members.filter((name) => !isValid(name, exception[name]));
    if (wrong.length > 0) {
      throw new ExplainedError(
        `${file}: ${JSON.stringify(exception)} has no valid ${wrong.join(', ')}; each exception needs ${members.join(', ')}`,
      );
    }
  }
  return exceptions;
}

/**
 * @param {string} member
 * @param {unknown} value
 */
function isValid(member, value) {
  if (typeof value !== 'string' || value === '') return false;
  return member !== 'expires' || !Number.isNaN(Date.parse(value));
}

/**
 * One line for each advisory without an argument, and for each argument that is over or has no advisory.
 * @param {readonly Advisory[]} advisories
 * @param {readonly Exception[]} exceptions
 * @param {Date} now
 */
export function findProblems(advisories, exceptions, now) {
  /** @type {(exception: Exception) => (advisory: Advisory) => boolean} */
  const isAbout = (exception) => (advisory) =>
    advisory.package === exception.package && advisory.id === exception.advisory;
  const unargued = advisories.filter(
    (advisory) => !exceptions.some((exception) => isAbout(exception)(advisory)),
  );
  const needless = exceptions.filter((exception) => !advisories.some(isAbout(exception)));
  const over = exceptions.filter(({ expires }) => Date.parse(expires) <= now.getTime());
  return [
    ...unargued.map(
      ({ package: name, id, severity, title }) =>
        `${name}: ${id} (${severity}): ${title}; update the package, or argue in ${file} why it is no danger here`,
    ),
    ...needless.map(
      ({ package: name, advisory }) =>
        `${name}: ${advisory} is argued away and not reported any more; remove it from ${file}`,
    ),
    ...over.map(
      ({ package: name, advisory, expires }) =>
        `${name}: the argument about ${advisory} ended on ${expires}; think it over in ${file}`,
    ),
  ];
}
