import type { FileHandle } from 'node:fs/promises';
import { openFile } from '../core/files/open-file.ts';
import { type AppError, appError, codeOf, failureOf, shortageOf } from '../core/foundation/app-error.ts';
import type { DocumentSource } from './client.ts';

/** A document opened for sending, as it was when it was opened. */
export interface OpenDocument {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

const details = new Map([
  ['ENOENT', 'file-missing'],
  ['ENOTDIR', 'file-missing'],
  ['EACCES', 'file-denied'],
  ['EPERM', 'file-denied'],
  ['EBUSY', 'file-locked'],
  ['EISDIR', 'file-is-folder'],
  ['EIO', 'drive-error'],
  ['ENAMETOOLONG', 'path-too-long'],
] as const);

/** A local reading error as file-unreadable; as storage-unusable where too many files are open. The path stays out of the note. */
export function unreadable(error: unknown): AppError {
  if (failureOf(error)) return error as AppError;
  const code = codeOf(error);
  const shortage = shortageOf(error);
  if (shortage) return shortage;
  return appError('file-unreadable', `the document cannot be read (${code})`, {
    detail: details.get(code as 'ENOENT') ?? undefined,
  });
}

/** Opens a document. Rejects as `unreadable` says, or with file-changed where its size is not the announced one. */
export async function openDocument(source: DocumentSource): Promise<OpenDocument> {
  let handle: FileHandle;
  try {
    handle = await openFile(source.path);
  } catch (error) {
    throw unreadable(error);
  }
  try {
    const { size, mtimeMs } = await handle.stat();
    if (size !== source.sizeBytes) {
      throw appError('file-changed', `${size} bytes on disk, ${source.sizeBytes} announced`);
    }
    return { handle, sizeBytes: size, modifiedMs: mtimeMs };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Rejects with file-changed (or file-unreadable) where size or time of change are not what they were. Asked before the last bytes of a request
 * leave, so that a request with a mixture of two versions is never completed.
 */
export async function assertUnchanged(document: OpenDocument): Promise<void> {
  const { size, mtimeMs } = await document.handle.stat().catch((error: unknown) => {
    throw unreadable(error);
  });
  if (size !== document.sizeBytes || mtimeMs !== document.modifiedMs) {
    throw appError('file-changed', 'the document was changed while it was being sent');
  }
}
