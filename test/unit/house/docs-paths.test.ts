import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './floors.ts';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const pages = files.filter((file) => /^(docs\/[^/]+|README|CONTRIBUTING)\.md$/.test(file));

/** Files and folders, from the root or from `electron/`; of a file its name alone will do. */
function isThere(path: string): boolean {
  const names = [path, `electron/${path}`];
  if (path.endsWith('/')) return names.some((folder) => files.some((file) => file.startsWith(folder)));
  return files.some((file) => names.includes(file) || (!path.includes('/') && file.endsWith(`/${path}`)));
}

it.each(pages)('%s names sources that are there', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const sources =
    /`((?:[\w-]+\/)*[\w-]+\.tsx?|(?:contract|core|electron|hosts|locales|practice|renderer|soap|store|test)\/(?:[\w-]+\/)*)`/g;
  const named = [...text.matchAll(sources)].map(([, path = '']) => path);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});
