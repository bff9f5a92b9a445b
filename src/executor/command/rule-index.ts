/** Rules by their path, so that those about one path are found by walking up from it. */
import { dirname } from 'node:path';
import type { ResolvedRule } from '../../policy/index.js';

export class RuleIndex {
  readonly #byPath = new Map<string, ResolvedRule[]>();
  /** Of directories without rules. */
  readonly #nearest = new Map<string, string>();

  constructor(rules: readonly ResolvedRule[]) {
    for (const rule of rules) {
      const same = this.#byPath.get(rule.path);
      if (same === undefined) this.#byPath.set(rule.path, [rule]);
      else same.push(rule);
    }
  }

  get paths(): string[] {
    return [...this.#byPath.keys()];
  }

  /** Every rule that decides about `path`. */
  about(path: string): ResolvedRule[] {
    const found = [...this.at(path)];
    for (let at = this.#above(path); at !== undefined; at = this.#above(at))
      for (const rule of this.at(at)) if (rule.scope === 'tree') found.push(rule);
    return found;
  }

  /** The nearest path above that has rules. What was found for a directory is kept: rules for its entries ask again. */
  #above(path: string): string | undefined {
    const passed: string[] = [];
    let found: string | undefined;
    for (let at = path; at !== '/'; ) {
      at = dirname(at);
      const known = this.#nearest.get(at);
      if (known !== undefined || this.#byPath.has(at)) {
        found = known ?? at;
        break;
      }
      passed.push(at);
    }
    if (found !== undefined) for (const directory of passed) this.#nearest.set(directory, found);
    return found;
  }

  at(path: string): readonly ResolvedRule[] {
    return this.#byPath.get(path) ?? [];
  }
}
