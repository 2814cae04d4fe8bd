import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { toOwnFileError } from './fs-errors.ts';
import { isOwnFile, linkOrCopy } from './own-files.ts';

export interface FileLocation {
  readonly dataDir: string;
  /** Folder for copies; made if missing. */
  readonly into: string;
}

/**
/**
 * Where a file will still be after this run: its own place, or a copy where it lies in a folder of ours that is cleared up (from a mail client: such files end with the
 * program). Rejects with file-unreadable, storage-full and storage-unusable.
 */
export async function durablePath({ dataDir, into }: FileLocation, path: string, copyName: string): Promise<string> {
  if (path.startsWith(into + sep) || !isOwnFile(dataDir, path)) return path;
  await mkdir(into, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw toOwnFileError(error);
  });
  const copy = join(into, copyName);
  await linkOrCopy(path, copy, `${copy}.${randomUUID()}.part`);
  return copy;
}
