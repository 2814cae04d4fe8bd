import type { FileHandle } from 'node:fs/promises';
import { openFile } from '../core/files/open-file.ts';
import { type AppError, appError, codeOf, failureOf } from '../core/foundation/app-error.ts';
import { readDetailOf, shortageOf } from '../core/foundation/fs-errors.ts';
import type { DocumentSource } from './client.ts';

/** A document opened for sending, with its size and time at that moment. */
export interface OpenDocument {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** A local read error as file-unreadable, or as storage-unusable if too many files are open. The note never holds the path. */
export function unreadable(error: unknown): AppError {
  if (failureOf(error)) return error as AppError;
  const note = `the document cannot be read (${codeOf(error)})`;
  return shortageOf(error) ?? appError('file-unreadable', note, { detail: readDetailOf(error) });
}

/** Opens a document. Rejects with the result of `unreadable`, or with file-changed if its size is not the expected one. */
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
 * Rejects with file-changed (or file-unreadable) if size or modification time differ from when the file was opened. Called before the last bytes of a
 * request leave, so that a request with a mixture of two versions is never completed.
 */
export async function assertUnchanged(document: OpenDocument): Promise<void> {
  const { size, mtimeMs } = await document.handle.stat().catch((error: unknown) => {
    throw unreadable(error);
  });
  if (size !== document.sizeBytes || mtimeMs !== document.modifiedMs) {
    throw appError('file-changed', 'the document was changed while it was being sent');
  }
}
