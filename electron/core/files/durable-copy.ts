import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { asOwnFile } from '../foundation/fs-errors.ts';
import { isOwnFile, linkOrCopy } from './own-files.ts';

export interface FileLocation {
  readonly dataDir: string;
  /** Folder for copies; made if missing. */
  readonly into: string;
}

/**
 * A path at which a file still exists after this run: its own path, or a copy if it lies in a folder of the program's own, whose files are removed with the run (files
 * from a mail client). Rejects with file-unreadable, storage-full and storage-unusable.
 */
export async function durablePath({ dataDir, into }: FileLocation, path: string, copyName: string): Promise<string> {
  if (path.startsWith(into + sep) || !isOwnFile(dataDir, path)) return path;
  await asOwnFile(mkdir(into, { recursive: true, mode: 0o700 }));
  const copy = join(into, copyName);
  await linkOrCopy(path, copy, `${copy}.${randomUUID()}.part`);
  return copy;
}
