/** SHA-256 of executables, read once for as long as they stay what they are. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

const MOST_KNOWN = 256;

const known = new Map<string, Promise<string>>();

/** Lowercase hexadecimal. Rejects if the file cannot be read. */
export async function fileDigest(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  const key = [path, dev, ino, size, mtimeNs, ctimeNs].join(':');
  let digest = known.get(key);
  if (digest === undefined) {
    digest = read(path);
    digest.catch(() => known.delete(key));
    if (known.size >= MOST_KNOWN) for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest);
    known.set(key, digest);
  }
  return digest;
}

async function read(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
