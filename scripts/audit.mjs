// Asks npm's registry for advisories about the packages of package-lock.json, those for development included. Fails on each
// that scripts/audit-exceptions.json does not argue away, and on an exception that is over or no longer needed.
//   node scripts/audit.mjs
// Exit status: 0 nothing; 1 something was found; 75 the registry gave no answer, so that nothing is known.
import { findProblems, readExceptions } from './lib/advisories.mjs';
import { askForAdvisories } from './lib/npm-audit.mjs';
import { ExplainedError, runScript, say } from './lib/project.mjs';

const unanswered = 75;

runScript(() => {
  const exceptions = readExceptions();
  const { advisories, refusal } = askForAdvisories();
  if (advisories === undefined) {
    say(`not audited: the npm registry of this machine gave no advisories (${refusal})`);
    process.exitCode = unanswered;
    return;
  }
  const problems = findProblems(advisories, exceptions, new Date());
  if (problems.length > 0) throw new ExplainedError(problems.join('\n'));
  say(`audited: no advisory without an argument (${advisories.length} in all)`);
});
