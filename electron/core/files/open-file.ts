import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { appError } from '../foundation/app-error.ts';

/** Where a system knows them: an open that does not wait for another end, and takes no terminal for its own. */
const readOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file for reading, following links. Rejects with file-unreadable (file-is-folder, file-special) for anything else, and with the file system's own error.
 * Never waits: a pipe that is opened plainly keeps a thread of the process for ever, and four of them keep every other file from being read.
 */
export async function openFile(path: string): Promise<FileHandle> {
  // Before it is opened: opening a device may already do something.
  assertFile(await stat(path));
  const handle = await open(path, readOnly);
  try {
    // Something else may have come there in between.
    assertFile(await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Throws file-unreadable: file-is-folder or file-special (a device, a pipe, a socket). */
export function assertFile(seen: Pick<Stats, 'isFile' | 'isDirectory'>): void {
  if (seen.isDirectory()) throw appError('file-unreadable', 'this is a folder', { detail: 'file-is-folder' });
  if (!seen.isFile()) throw appError('file-unreadable', 'this is a device or a pipe', { detail: 'file-special' });
}

/** The bytes of a file; null where there are more than `mostBytes`, whatever its size said before. Rejects as openFile does. */
export async function readWhole(path: string, mostBytes: number): Promise<Buffer | null> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    if (size > mostBytes) return null;
    // One more than it should have, so that the end shows without another buffer. Some files (in /proc) say 0 and have more.
    let bytes = Buffer.allocUnsafe(size + 1);
    for (let length = 0; ; ) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
      length += bytesRead;
      if (bytesRead === 0) return bytes.subarray(0, length);
      if (length > mostBytes) return null;
      if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(length * 2, mostBytes) + 1);
    }
  } finally {
    await file.close();
  }
}
