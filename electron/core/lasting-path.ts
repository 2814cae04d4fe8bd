import { copyFile, mkdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readTrouble } from './file-trouble.ts';

export interface FilePlace {
  readonly dataDir: string;
  /** Folder for copies; made if missing. */
  readonly into: string;
}

/**
 * Where a file will still be after this run: its own place, or a copy where it came without one (from a mail client: such files end with the program). Rejects with
 * file-unreadable and storage-full.
 */
export async function lastingPath({ dataDir, into }: FilePlace, path: string, copyName: string): Promise<string> {
  if (!path.startsWith(join(dataDir, 'arrived') + sep)) return path;
  const copy = join(into, copyName);
  try {
    await mkdir(into, { recursive: true, mode: 0o700 });
    await copyFile(path, copy);
  } catch (error) {
    throw readTrouble(error);
  }
  return copy;
}
