import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { appError } from '../foundation/app-error.ts';
import { toReadError } from '../foundation/fs-errors.ts';
import { openFile } from './open-file.ts';

const chunkBytes = 512 * 1024;

/**
 * SHA-256 of a file, lower-case hex, read chunk by chunk; `onRead` is called with the number of bytes of each chunk. Rejects with file-unreadable, file-changed (the file
 * grows while it is read), or cancelled.
 */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
  onRead?: (bytes: number) => void,
): Promise<{ sha256: string; sizeBytes: number }> {
  let file: FileHandle | undefined;
  try {
    file = await openFile(path);
    return await hashOf(file, signal, onRead);
  } catch (error) {
    throw toReadError(error);
  } finally {
    await file?.close();
  }
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
