/**
 * Globals that are no ECMAScript: what a program finds of a browser, of Node, or of neither. The list is of what programs
 * of models reach for; whether it is there, the survey finds out.
 */
import { edition } from '../feature.js';

const present = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `return typeof ${name} !== 'undefined';`]));

export const environment = edition('environment', {
  Ours: {
    tools: `return typeof tools === 'object' && Object.isFrozen(tools) && Object.getPrototypeOf(tools) === null;`,
    'console.log, info, warn, error, debug': `
      return ['log', 'info', 'warn', 'error', 'debug'].every((level) => typeof console[level] === 'function');`,
  },
  'Timers and tasks': {
    'setTimeout, clearTimeout': `
      return await new Promise((resolve) => { clearTimeout(setTimeout(() => resolve(false), 1)); setTimeout(resolve, 5, true); });`,
    'setInterval, clearInterval': `
      let ticks = 0;
      return await new Promise((resolve) => { const timer = setInterval(() => { if (++ticks === 2) { clearInterval(timer); resolve(true); } }, 1); });`,
    queueMicrotask: 'return await new Promise((resolve) => queueMicrotask(() => resolve(true)));',
    ...present('setImmediate', 'requestAnimationFrame'),
  },
  'Web platform': {
    structuredClone:
      'const a = { d: new Date(0), m: new Map([[1, 2]]) }, b = structuredClone(a); return b !== a && b.d.getTime() === 0 && b.m.get(1) === 2;',
    'TextEncoder, TextDecoder': `return new TextDecoder().decode(new TextEncoder().encode('é😀')) === 'é😀';`,
    'URL, URLSearchParams': `
      const url = new URL('../b?x=1#h', 'https://example.com/a/c'); url.searchParams.append('y', '2 3');
      return url.href === 'https://example.com/b?x=1&y=2+3#h';`,
    'atob, btoa': `return btoa('abc') === 'YWJj' && atob('YWJj') === 'abc';`,
    'crypto.randomUUID, getRandomValues': `
      return /^[0-9a-f-]{36}$/.test(crypto.randomUUID()) && crypto.getRandomValues(new Uint8Array(4)).length === 4;`,
    'performance.now': 'const from = performance.now(); return performance.now() >= from;',
    'crypto.subtle': `return typeof globalThis.crypto?.subtle !== 'undefined';`,
    ...present(
      'fetch',
      'Request',
      'Headers',
      'FormData',
      'Blob',
      'ReadableStream',
      'WebSocket',
      'XMLHttpRequest',
      'AbortController',
      'Event',
      'EventTarget',
      'DOMException',
      'MessageChannel',
      'BroadcastChannel',
      'Worker',
      'WebAssembly',
      'navigator',
      'location',
      'document',
      'window',
      'self',
      'localStorage',
      'alert',
    ),
  },
  'Node.js': present(
    'process',
    'Buffer',
    'require',
    'module',
    'exports',
    '__dirname',
    'global',
    'Deno',
    'Bun',
  ),
  'QuickJS shells': present('std', 'os', 'bjson', 'print', 'scriptArgs', 'gc'),
});
