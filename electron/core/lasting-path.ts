import { copyFile, mkdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readTrouble } from './file-trouble.ts';

export interface FilePlace {
  readonly dataDir: string;
  /** Folder for copies; made if missing. */
  readonly into: string;
}

/** What lies there goes with the run, the job, the draft or the bulk that it belongs to. */
const passing = ['arrived', 'spool', 'drafts', 'bulk'];

/**
 * Where a file will still be after this run: its own place, or a copy where it lies in a place of ours that is cleared up (from a mail client: such files end with the
 * program). Rejects with file-unreadable and storage-full.
 */
export async function lastingPath({ dataDir, into }: FilePlace, path: string, copyName: string): Promise<string> {
  const isBelow = (folder: string) => path.startsWith(folder + sep);
  if (isBelow(into) || !passing.some((folder) => isBelow(join(dataDir, folder)))) return path;
  const copy = join(into, copyName);
  try {
    await mkdir(into, { recursive: true, mode: 0o700 });
    await copyFile(path, copy);
  } catch (error) {
    throw readTrouble(error);
  }
  return copy;
}
