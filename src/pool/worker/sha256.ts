/** Digests of programs. Must not know what they are of. */
import { hash } from 'node:crypto';

/** Lowercase hexadecimal SHA-256 of the text as UTF-8. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
