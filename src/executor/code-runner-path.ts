/** Where the package has its runner. Must not know what it says. */
import { executablePath } from './addon.js';

/** The runner by its bare name, where PATH has none. */
export const CODE_RUNNER = 'code-runner';

/**
 * Absolute path of the package's `code-runner`: one executable file, linked statically, that speaks code-bridge-v1 on its descriptor 3.
 * Throws if the package has no native build for this platform.
 */
export function codeRunnerPath(): string {
  return executablePath(CODE_RUNNER);
}
