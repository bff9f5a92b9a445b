/**
 * Objects that are no data, but a way to it: JSON.stringify would write `{}` for a response whose body nobody has read. Known
 * by what they call themselves, so that those of other realms and libraries are known too. Must not know JSON.
 */
import { types } from 'node:util';
import { isPlainObject } from './describe-value.js';

const BODY = 'read it first, as with await response.json()';
const ADVICE: Readonly<Record<string, string>> = {
  Response: `a Response: ${BODY}`,
  Request: 'a Request: read it first, as with await request.json()',
  Headers: 'a Headers object: convert it with Object.fromEntries()',
  FormData: 'a FormData object: convert it with Object.fromEntries()',
  URLSearchParams: 'a URLSearchParams object: convert it with Object.fromEntries() or String()',
  Blob: 'a Blob: read it first, as with await blob.text()',
  File: 'a File: read it first, as with await file.text()',
  ReadableStream: 'a ReadableStream: read it first, as with await new Response(stream).text()',
  WritableStream: 'a WritableStream, which holds no data',
  TransformStream: 'a TransformStream: read its readable side first',
  AbortSignal: 'an AbortSignal, which holds no data',
  AbortController: 'an AbortController, which holds no data',
};

/** What such an object is and what to do about it, to follow "is"; undefined for data. Never throws. */
export function noDataAdvice(value: object): string | undefined {
  try {
    return Array.isArray(value) || isPlainObject(value)
      ? undefined
      : advice(value as Record<PropertyKey, unknown>);
  } catch {
    // A revoked proxy, or a getter: found when its members are read.
    return undefined;
  }
}

function advice(value: Record<PropertyKey, unknown>): string | undefined {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (Object.hasOwn(ADVICE, name)) return ADVICE[name];
  const isAsync = Symbol.asyncIterator in value;
  if (typeof value['pipe'] === 'function') {
    return isAsync ? 'a stream: read it first, as with for await' : 'a stream, which holds no data';
  }
  if (isAsync) return 'an async iterable: collect its values first, as with for await';
  const isIterator = typeof value['next'] === 'function' && Symbol.iterator in value;
  return isIterator || types.isGeneratorObject(value)
    ? 'an iterator: convert it with Array.from()'
    : undefined;
}
