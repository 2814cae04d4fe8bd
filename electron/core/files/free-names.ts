import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { cutToBytes } from './safe-file-name.ts';

/** Longest name on most file systems, in bytes of UTF-8. */
const maxBytes = 255;

/**
 * Gives out names in a folder that neither a file had at the first call nor an earlier call gave out. Whether the name is still free is known only when
 * it is claimed (`placeFile`); the next call gives out another one.
 */
export function freeNames(folder: string): { take(name: string): Promise<string> } {
  // Some file systems do not distinguish `A.pdf` from `a.pdf`, nor composed from decomposed letters.
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
