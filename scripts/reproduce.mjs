// Shows that the native files come out the same wherever they are built: builds the files of this
// checkout in two temporary folders, and compares the digests of what is shipped. Fails if any differs.
//   node scripts/reproduce.mjs            twice; prints the digests, and the tools that they were made with
//   node scripts/reproduce.mjs --smoke    once, and compares with what is built in this checkout
// With WARDENPOOL_TRAIN_ENGINE=0 the engine is not trained, as in any build; the two have to agree in that.

import { ExplainedError, runScript } from './lib/project.mjs';
import { compareBuilds, compareWithThisBuild } from './lib/reproduction.mjs';

runScript(() => {
  const [option, ...others] = process.argv.slice(2);
  if (others.length > 0 || (option !== undefined && option !== '--smoke')) {
    throw new ExplainedError('usage: node scripts/reproduce.mjs [--smoke]');
  }
  if (option === '--smoke') compareWithThisBuild();
  else compareBuilds();
});
