import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile } from './hash-file.ts';

/** Finds files that are in a folder already, so that a download that is begun again writes none of them a second time. */
export interface EarlierCopies {
  /** The path of a file of this name, or of the name with a number, that has these bytes. Each is answered once: two documents may have the same bytes. */
  take(name: string, file: { readonly sizeBytes: number; readonly sha256: string }): Promise<string | null>;
}

/** As file systems that do not distinguish case compare names, without the number that `freeNames` adds. */
const keyOf = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/ \(\d+\)(?=\.[^.]*$|$)/, '');

function grouped(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = groups.get(keyOf(name)) ?? [];
    group.push(name);
    groups.set(keyOf(name), group);
  }
  return groups;
}

/** The files that are in the folder now, but those with the names of `others`: they are the copies of other documents. One that cannot be read has no equal. */
export function earlierCopies(folder: string, others: readonly string[] = []): EarlierCopies {
  const listed = readdir(folder).then(grouped, () => grouped([]));
  const sizes = new Map<string, Promise<number | null>>();
  const hashes = new Map<string, Promise<string | null>>();
  const once = <T>(known: Map<string, Promise<T | null>>, path: string, read: () => Promise<T>) => {
    const value = known.get(path) ?? read().catch(() => null);
    known.set(path, value);
    return value;
  };
  const taken = new Set(others.map((name) => join(folder, name)));
  return {
    take: async (name, { sizeBytes, sha256 }) => {
      for (const one of (await listed).get(keyOf(name)) ?? []) {
        const path = join(folder, one);
        if (taken.has(path)) continue;
        if ((await once(sizes, path, async () => (await stat(path)).size)) !== sizeBytes) continue;
        if ((await once(hashes, path, async () => (await hashFile(path)).sha256)) !== sha256 || taken.has(path))
          continue;
        taken.add(path);
        return path;
      }
      return null;
    },
  };
}
