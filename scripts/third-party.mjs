// Writes THIRD_PARTY.md anew from the installed packages and scripts/third-party/. Run it after changing dependencies.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runScript } from './lib/project.mjs';
import { renderThirdParty } from './lib/third-party.mjs';

runScript(() => {
  writeFileSync(join(root, 'THIRD_PARTY.md'), renderThirdParty());
});
