// SECURITY.md points at what exists: pages, their headings, tests, scripts; and users receive it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const exists = (path: string): boolean =>
  existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

const text = read('SECURITY.md');
const matches = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** As GitHub makes anchors of headings. */
const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('SECURITY.md', () => {
  it('links to pages and headings that exist', () => {
    const links = matches(/\]\(([^)]+)\)/g);
    assert.ok(links.length > 0);
    for (const link of links) {
      const [page = '', anchor] = link.split('#');
      assert.ok(exists(page), `${link}: no such page`);
      if (anchor !== undefined) assert.ok(anchorsOf(read(page)).includes(anchor), `${link}: no such heading`);
    }
  });

  it('names tests and files that exist', () => {
    const paths = matches(/`((?:test|native|scripts|src|docs)\/[^`]*)`/g);
    assert.ok(paths.length > 0);
    for (const path of paths) assert.ok(exists(path), `${path} does not exist`);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const name of matches(/npm run ([\w:]+)/g)) assert.ok(name in scripts, `npm run ${name}`);
  });

  it('is shipped, and the README leads to it', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    assert.ok(files.includes('SECURITY.md'));
    assert.match(read('README.md'), /\(SECURITY\.md\)/);
  });
});
