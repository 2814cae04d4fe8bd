import type { FileHandle } from 'node:fs/promises';
import { stampOf } from '../../core/files/file-stamp.ts';
import { openFile } from '../../core/files/open-file.ts';
import { type AppError, appError, codeOf, failureOf } from '../../core/foundation/app-error.ts';
import { readDetailOf, shortageOf } from '../../core/foundation/fs-errors.ts';
import type { DocumentSource } from '../service/client.ts';

/** A document opened for sending, with its size and times at that moment. */
export interface OpenDocument {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  readonly stamp: string;
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
    const stats = await handle.stat({ bigint: true });
    if (stats.size !== BigInt(source.sizeBytes)) {
      throw appError('file-changed', `${stats.size} bytes on disk, ${source.sizeBytes} announced`);
    }
    return { handle, sizeBytes: source.sizeBytes, stamp: stampOf(stats) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Rejects with file-changed (or file-unreadable) if size or one of the times differs from when the file was opened. Called before the last bytes of a
 * request leave, so that a request with a mixture of two versions is never completed.
 */
export async function assertUnchanged(document: OpenDocument): Promise<void> {
  const stats = await document.handle.stat({ bigint: true }).catch((error: unknown) => {
    throw unreadable(error);
  });
  if (stampOf(stats) !== document.stamp) {
    throw appError('file-changed', 'the document was changed while it was being sent');
  }
}
