import { readdir } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import type { Dialogs } from '../foundation/ports.ts';
import { markOf, type Target } from './place-file.ts';
import { cutToBytes } from './safe-file-name.ts';
import { createTargetFile } from './target-file.ts';

/**
 * Asks a person for the target of a file. A file that exists there at that moment may be replaced, as the person has agreed to it; a file that appears there later stays,
 * and the new file gets a name with a number. Null if nothing was chosen.
 */
export async function chooseTarget(dialogs: Dialogs, suggestedName: string): Promise<Target | null> {
  const path = await dialogs.chooseTarget(suggestedName);
  if (path === null) return null;
  const names = freeNames(dirname(path));
  return { path, replaces: await markOf(path), next: () => names.take(basename(path)) };
}

/** The target of a host without dialogs: a name that is taken is target-exists, unless the file that is there now may be replaced. */
export async function givenTarget(path: string, mayReplace: boolean): Promise<Target> {
  return { path, replaces: mayReplace ? await markOf(path) : undefined };
}

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

/**
 * Writes a file that appears under its name only when it is complete; answers its path. Rejects with file-unreadable (target-not-writable, target-exists) or storage-full, and
 * with errors of the source; then nothing has changed.
 */
export async function saveFile(
  target: Target,
  pieces: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
): Promise<string> {
  const file = await createTargetFile(target);
  try {
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let from = 0; from < bytes.length; ) {
        file.reserve(1);
        const length = Math.min(bytes.length - from, file.buffer.length - file.at);
        file.buffer.set(bytes.subarray(from, from + length), file.at);
        file.at += length;
        from += length;
        await file.settle();
      }
    }
    return (await file.finish()).path;
  } catch (error) {
    await file.discard();
    throw error;
  }
}
