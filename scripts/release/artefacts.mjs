import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sums = 'SHA256SUMS';

/** Writes SHA256SUMS of all files in a folder, for `sha256sum --check`. Throws on names that sums and downloads would write in different ways. */
export function writeChecksums(folder) {
  const files = filesIn(folder);
  if (files.length === 0) throw new Error('there are no packages');
  const odd = files.filter((name) => !/^[\w.+~-]+$/.test(name));
  if (odd.length > 0) throw new Error(`names with other signs than letters, digits and .+~-_: ${odd.join(', ')}`);
  writeFileSync(join(folder, sums), files.map((name) => `${hash(join(folder, name))}  ${name}\n`).join(''));
}

/** Name, size and SHA-256 of each file, in lines. */
export function table(folder) {
  const files = filesIn(folder);
  const width = Math.max(4, ...files.map((name) => name.length));
  const row = (name, size, sum) => `${name.padEnd(width)}  ${size.padStart(9)}  ${sum}`;
  const lines = files.map((name) => {
    const path = join(folder, name);
    return row(name, `${(statSync(path).size / 1e6).toFixed(1)} MB`, hash(path));
  });
  return [row('file', 'size', 'SHA-256'), ...lines].join('\n');
}

const filesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name !== sums)
    .sort();
const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
