/** Files in which the kernel says a setting or a fact, one or a few lines of text. */
import { readFileSync } from 'node:fs';

/** Without the white space around it; undefined where there is no such file, or it is not ours to read. */
export function readSetting(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** A count, or null for what is none: `max` and `unlimited` are no limit. */
export function limitOf(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}
