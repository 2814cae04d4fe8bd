import type { Failure, FailureDetail } from '../../../contract/failure.ts';
import { AppError, appError, codeOf, failureOf } from './app-error.ts';

/** Meaning of codes of node:fs for a file that a person chose. */
const readDetails: ReadonlyMap<string, FailureDetail> = new Map([
  ['ENOENT', 'file-missing'],
  ['ENOTDIR', 'file-missing'],
  // A link that leads to itself.
  ['ELOOP', 'file-missing'],
  ['EACCES', 'file-denied'],
  ['EPERM', 'file-denied'],
  ['EBUSY', 'file-locked'],
  ['ETXTBSY', 'file-locked'],
  ['EAGAIN', 'file-locked'],
  ['EISDIR', 'file-is-folder'],
  ['EIO', 'drive-error'],
  ['ENAMETOOLONG', 'path-too-long'],
]);

/** Meaning of codes of node:fs in the program's own data folder. */
const ownDetails: ReadonlyMap<string, FailureDetail> = new Map([
  ['EACCES', 'data-folder-denied'],
  ['EPERM', 'data-folder-denied'],
  ['EROFS', 'data-folder-denied'],
  ['EIO', 'drive-error'],
]);

/** Notes for support. */
const readNotes: ReadonlyMap<FailureDetail, string> = new Map([
  ['file-missing', 'the file is not there'],
  ['file-denied', 'the file may not be read'],
  ['file-locked', 'another program holds the file'],
  ['file-is-folder', 'this is a folder'],
  ['drive-error', 'reading answered EIO'],
  ['path-too-long', 'the path is too long'],
]);

/** An AppError for lack of disk space or file descriptors, whichever file was read or written; null for any other error. */
export function shortageOf(error: unknown): AppError | null {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return appError('storage-full', `writing answered ${code}`);
  if (code === 'EMFILE' || code === 'ENFILE')
    return appError('storage-unusable', `opening answered ${code}`, { detail: 'too-many-open-files', retryable: true });
  return null;
}

/** The reason why a person's file cannot be read; undefined if the error does not tell. */
export function readDetailOf(error: unknown): FailureDetail | undefined {
  return (failureOf(error) ?? shortageOf(error)?.failure)?.detail ?? readDetails.get(codeOf(error));
}

/**
 * Turns an error of node:fs while reading a person's file into an AppError; other errors are returned unchanged. The note has no path. Too many open files
 * are storage-unusable, as this is no problem of the file.
 */
export function toReadError(error: unknown): unknown {
  if (failureOf(error) || !hasCode(error)) return error;
  const detail = readDetails.get(codeOf(error));
  const note = (detail && readNotes.get(detail)) ?? `reading answered ${codeOf(error)}`;
  return shortageOf(error) ?? appError('file-unreadable', note, { detail });
}

/** Rejects with the error that `toReadError` returns. */
export async function asRead<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw toReadError(error);
  });
}

/** Turns an error while writing a file for a person into storage-full or file-unreadable (target-not-writable, drive-error); an AppError is returned unchanged. */
export function toWriteError(error: unknown): AppError {
  if (failureOf(error)) return error as AppError;
  const code = codeOf(error);
  const detail = code === 'EIO' ? 'drive-error' : 'target-not-writable';
  return shortageOf(error) ?? appError('file-unreadable', `the file cannot be written (${code})`, { detail });
}

/** Turns an error of node:fs in the program's own data folder into storage-full or storage-unusable, never file-unreadable. Other errors are returned unchanged. */
export function toOwnFileError(error: unknown): unknown {
  const known = failureOf(error);
  if (known) return new AppError(asOwn(known));
  if (!hasCode(error)) return error;
  const code = codeOf(error);
  return (
    shortageOf(error) ??
    appError('storage-unusable', `the data folder answered ${code}`, { detail: ownDetails.get(code), retryable: true })
  );
}

/** Rejects with the error that `toOwnFileError` returns. */
export async function asOwnFile<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw toOwnFileError(error);
  });
}

/** For the program's own copies: turns file-unreadable into storage-unusable, as a person cannot do anything about such a file, and says of file-changed that it is a copy. */
export function asOwn(failure: Failure): Failure {
  if (failure.code === 'file-changed') return { ...failure, detail: 'copy-changed' };
  if (failure.code !== 'file-unreadable') return failure;
  const detail = failure.detail === 'file-denied' ? 'data-folder-denied' : failure.detail;
  return {
    ...failure,
    code: 'storage-unusable',
    detail: detail === 'data-folder-denied' || detail === 'drive-error' ? detail : undefined,
    retryable: true,
  };
}

/** Turns an error about a file of the program's own into an AppError. `what`: an English clause about what failed, without paths. An AppError is returned unchanged. */
export function toStorageError(error: unknown, what: string): unknown {
  if (failureOf(error)) return error;
  const code = hasCode(error) ? codeOf(error) : null;
  const detail = code === null ? undefined : ownDetails.get(code);
  return shortageOf(error) ?? appError('storage-unusable', `${what} (${code ?? 'unexpected error'})`, { detail });
}

function hasCode(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | null)?.code === 'string';
}
