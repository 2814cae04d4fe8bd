import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { appError } from '../foundation/app-error.ts';
import { asRead } from '../foundation/fs-errors.ts';

/** Flags for an open that does not wait for a pipe's other end, and does not make a terminal the controlling one; not all systems have them. */
const readOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file for reading, following links. Rejects with file-unreadable (file-is-folder, file-special) for anything else, and with the file system's own error.
 * Never waits: a plain open of a pipe blocks a thread of Node's pool for ever, and four of them block all file access.
 */
export async function openFile(path: string): Promise<FileHandle> {
  // Checked before the open: opening a device may already have an effect.
  assertFile(await stat(path));
  const handle = await open(path, readOnly);
  try {
    // Checked again: another file may have replaced it in between.
    assertFile(await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Throws file-unreadable: file-is-folder or file-special (a device, a pipe, a socket). */
export function assertFile(stats: Pick<Stats, 'isFile' | 'isDirectory'>): void {
  if (stats.isDirectory()) throw appError('file-unreadable', 'this is a folder', { detail: 'file-is-folder' });
  if (!stats.isFile()) throw appError('file-unreadable', 'this is a device or a pipe', { detail: 'file-special' });
}

/** The bytes of a file; null if there are more than `mostBytes`, even if the file grows while it is read. Rejects as openFile does. */
export async function readWhole(path: string, mostBytes: number): Promise<Buffer | null> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    if (size > mostBytes) return null;
    // One byte more than the size, so that the end is found without a second buffer. Some files (in /proc) report 0 and have more.
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

/** Reads `length` bytes from `position` on into the beginning of `into`; answers the number read, which is smaller only at the end of the file. Rejects as node:fs. */
export async function readFully(file: FileHandle, into: Buffer, length: number, position: number): Promise<number> {
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(into, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

/** Writes all bytes. The system may write only a part of them (a disk that fills up): the rest is tried again, which then reports the error. Rejects as node:fs. */
export async function writeFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Reads a file that a person named to a host, of at most `mostBytes`. Never waits for a pipe or reads a device. Rejects with file-unreadable or bad-input. */
export async function readGivenFile(path: string, mostBytes: number): Promise<Buffer> {
  const bytes = await asRead(readWhole(path, mostBytes));
  const most =
    mostBytes < 1024 * 1024 ? `${Math.floor(mostBytes / 1024)} kB` : `${Math.floor(mostBytes / 1024 / 1024)} MB`;
  if (!bytes) throw appError('bad-input', `the file is larger than ${most}`);
  return bytes;
}
