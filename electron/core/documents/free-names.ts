import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';

/** Names in a folder that nobody has: neither a file that is there nor one that was given out before. */
export function freeNames(folder: string): { take(name: string): Promise<string> } {
  // Some file systems do not tell `A.pdf` from `a.pdf`, nor composed from decomposed letters.
  const key = (name: string) => name.normalize('NFC').toLowerCase();
  let taken: Promise<Set<string>> | null = null;
  const nextNumber = new Map<string, number>();
  return {
    take: async (name) => {
      taken ??= readdir(folder).then(
        (names) => new Set(names.map(key)),
        () => new Set(),
      );
      const used = await taken;
      const { name: stem, ext } = parse(name);
      let n = nextNumber.get(key(name)) ?? 1;
      const numbered = () => (n === 1 ? name : `${stem} (${n})${ext}`);
      while (used.has(key(numbered()))) n += 1;
      nextNumber.set(key(name), n + 1);
      used.add(key(numbered()));
      return join(folder, numbered());
    },
  };
}
