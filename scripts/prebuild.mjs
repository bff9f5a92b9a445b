// Builds what the package ships of native files, for every architecture, into prebuilds/. `npm pack` and `npm publish` do this
// first. As root on Debian or Ubuntu it installs the compilers that are missing; elsewhere it says what to do.
import { makePrebuilds } from './lib/prebuilds.mjs';
import { runScript } from './lib/project.mjs';

runScript(makePrebuilds);
