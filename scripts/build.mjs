// Builds the native code and the TypeScript, as far as they are not up to date.
//   node scripts/build.mjs [native] [typescript] [cross]      default: the first two; the last is for packaging
import { build, everyPartName, partNames } from './lib/build.mjs';
import { ExplainedError, runScript } from './lib/project.mjs';

runScript(() => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !everyPartName.some((part) => part === name));
  if (unknown.length > 0) {
    throw new ExplainedError(
      `there is no part ${unknown.join(', ')}; the parts are ${everyPartName.join(', ')}`,
    );
  }
  build(wanted.length === 0 ? partNames : everyPartName.filter((part) => wanted.includes(part)));
});
