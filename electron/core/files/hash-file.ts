import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { appError } from '../foundation/app-error.ts';
import { toReadError } from '../foundation/fs-errors.ts';
import { showsChanges } from './file-stamp.ts';
import { openFile } from './open-file.ts';

const chunkBytes = 512 * 1024;

/**
 * SHA-256 of a file, lower-case hex, read chunk by chunk; `onRead` is called with the number of bytes of each chunk. Rejects with file-unreadable, file-changed (the file
 * was changed while it was read), or cancelled.
 */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
  onRead?: (bytes: number) => void,
): Promise<{ sha256: string; sizeBytes: number }> {
  let file: FileHandle | undefined;
  try {
    file = await openFile(path);
    const opened = file;
    return await readUnchanged(file, () => hashOf(opened, signal, onRead), signal);
  } catch (error) {
    throw toReadError(error);
  } finally {
    await file?.close();
  }
}

/**
 * What `read` answers about the bytes of an open file, if they were the same from its beginning to its end: else it rejects with file-changed. Where the times of the
 * file cannot tell (file-stamp.ts), and where only ctime differs, as after a change of permissions, the bytes are read a second time.
 */
export async function readUnchanged<T extends { readonly sha256: string; readonly sizeBytes: number }>(
  file: FileHandle,
  read: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const before = await file.stat({ bigint: true });
  const done = await read();
  const after = await file.stat({ bigint: true });
  const isChanged =
    BigInt(done.sizeBytes) !== before.size || after.size !== before.size || after.mtimeNs !== before.mtimeNs;
  const isSure = showsChanges(before) && after.ctimeNs === before.ctimeNs;
  if (isChanged || (!isSure && (await hashOf(file, signal)).sha256 !== done.sha256))
    throw appError('file-changed', 'the file was changed while it was read');
  return done;
}

/** Uses one buffer, not larger than the file: for thousands of small files a full chunk each would cost more than the hashing. */
async function hashOf(
  file: FileHandle,
  signal?: AbortSignal,
  onRead?: (bytes: number) => void,
): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size + 1));
  for (let sizeBytes = 0; ; ) {
    if (signal?.aborted) throw appError('cancelled', 'cancelled while reading');
    const { bytesRead } = await file.read(buffer, 0, buffer.length, sizeBytes);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), sizeBytes };
    hash.update(buffer.subarray(0, bytesRead));
    sizeBytes += bytesRead;
    // Reading a file that another program keeps writing would never end.
    if (sizeBytes > size) throw appError('file-changed', 'the file grows while it is read');
    onRead?.(bytesRead);
  }
}
