import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { cutToBytes } from './safe-file-name.ts';

/** Of a name, on most file systems. */
const maxBytes = 255;

/**
 * Names in a folder that nobody had when it was first asked: neither a file that was there nor one that was given out before. Whether it is free is known only when
 * it is claimed (`placeFile`); the next call gives out another.
 */
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
      const numbered = () => {
        const end = ` (${n})${ext}`;
        return n === 1 ? name : cutToBytes(stem, maxBytes - Buffer.byteLength(end)) + end;
      };
      while (used.has(key(numbered()))) n += 1;
      nextNumber.set(key(name), n + 1);
      used.add(key(numbered()));
      return join(folder, numbered());
    },
  };
}
